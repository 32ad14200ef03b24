export interface Point {
  x: number;
  y: number;
}

/** path is a line through points with round corners. */
export function path(points: Point[], radius = 6): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let text = `M${first.x},${first.y}`;
  rest.forEach((at, i) => {
    const before = points[i];
    const after = rest[i + 1];
    if (!before || !after) {
      text += `L${at.x},${at.y}`;
      return;
    }
    const near = towards(at, before, radius);
    const far = towards(at, after, radius);
    text += `L${near.x},${near.y}Q${at.x},${at.y} ${far.x},${far.y}`;
  });
  return text;
}

/** towards is the point at a distance from one point to another, half of the way at most. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(distance / length, 0.5);
  return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
}
