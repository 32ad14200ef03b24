// Numbers as people read them.

const NUMBER = /(?<![\w."'])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w."'])/gi;
const LONG = 9; // characters that a number may have before it is shortened

// sensible writes the numbers in a value with as many digits as people read: six of a small number, thousandths of a large one.
// Whole numbers, and what stands in quotes or is part of a word, stay as they are. directio/pages/sensible.go does the same.
export function sensible(text) {
  return text.replace(NUMBER, (n) => (n.length < LONG || !/[.e]/i.test(n) ? n : shortened(Number(n))));
}

function shortened(v) {
  const size = Math.abs(v);
  if (!Number.isFinite(v) || v === 0) return String(v);
  if (size >= 1e21 || size < 1) return String(Number(v.toPrecision(6)));
  return String(Number(v.toFixed(Math.max(3, 5 - Math.floor(Math.log10(size))))));
}
