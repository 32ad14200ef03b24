/** Excerpted is a part of a text around a word. */
export interface Excerpted {
  before: string;
  word: string;
  after: string;
}

const around = 300;

/** excerptOf returns the text around a place; lines and columns begin with 1. The word is the name there, with its type. */
export function excerptOf(text: string, line: number, column: number): Excerpted {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    at = end + 1;
  }
  at = Math.min(at + column - 1, text.length);
  const from = Math.max(0, at - around);
  const word = /^[^(){},\s]*/.exec(text.slice(at, at + around))?.[0] || text.slice(at, at + 1);
  const end = at + word.length;
  return {
    before: (from > 0 ? "…" : "") + text.slice(from, at),
    word,
    after: text.slice(end, end + around) + (end + around < text.length ? "…" : ""),
  };
}
