/** step returns the place in a list that a key leads to, null for other keys. */
export function step(key: string, at: number, length: number): number | null {
  if (length === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % length;
    case "ArrowUp":
      return (at - 1 + length) % length;
    case "PageDown":
      return Math.min(at + 10, length - 1);
    case "PageUp":
      return Math.max(at - 10, 0);
  }
  return null;
}
