/** A place in an image, in its units. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Whether a place is covered by a shape; its border does not count. */
type Covers = (point: Point) => boolean;

/** Units by which a place has to be within a shape. */
const WITHIN = 0.4;
/** Room beside what is farthest out. */
const MARGIN = 4;

/**
 * Mends what the drawing library gets wrong about whole images: lines that end below the box that they lead to, so that the box hides
 * their arrowheads (all lines of a cycle do), signs of composition and aggregation that lie below a box, and lines and texts outside of the
 * image.
 * @param font the family of all texts, before those that the library names
 */
export function mendDrawing(svg: Element, font: string): void {
  for (const sign of ['cls-composition', 'cls-aggregation']) svg.querySelector(`marker#${sign}`)?.setAttribute('refX', '12');
  const lines = outsideOfDefs(svg, 'polyline');
  const last = lines.at(-1);
  const shapes = outsideOfDefs(svg, 'rect, polygon, circle, ellipse');
  // Groups are drawn below the lines, boxes above them.
  const boxes = shapes.filter((shape) => last !== undefined && (last.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0).map(coverOf);
  for (const line of lines) {
    let points = pointsOf(line);
    if (line.hasAttribute('marker-end')) points = upToBox(points, boxes);
    if (line.hasAttribute('marker-start')) points = upToBox(points.toReversed(), boxes).toReversed();
    line.setAttribute('points', points.map(({ x, y }) => `${x},${y}`).join(' '));
  }
  widen(svg, [...lines.flatMap(pointsOf).map(({ x }) => ({ from: x, to: x })), ...textSpans(svg, font)]);
}

function outsideOfDefs(svg: Element, selector: string): readonly Element[] {
  return [...svg.querySelectorAll(selector)].filter((element) => element.closest('defs') === null);
}

function pointsOf(element: Element): readonly Point[] {
  const numbers = (element.getAttribute('points') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const points = Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => ({ x: numbers[2 * index] ?? 0, y: numbers[2 * index + 1] ?? 0 }));
  return points.filter(({ x, y }, index) => index === 0 || x !== points[index - 1]?.x || y !== points[index - 1]?.y);
}

function coverOf(shape: Element): Covers {
  const of = (name: string): number => Number(shape.getAttribute(name) ?? 0);
  switch (shape.localName) {
    case 'rect':
      return ({ x, y }) => x > of('x') + WITHIN && x < of('x') + of('width') - WITHIN && y > of('y') + WITHIN && y < of('y') + of('height') - WITHIN;
    case 'polygon':
      return inPolygon(pointsOf(shape));
    default: {
      const [rx, ry] = shape.localName === 'circle' ? [of('r'), of('r')] : [of('rx'), of('ry')];
      return ({ x, y }) => ((x - of('cx')) / (rx - WITHIN)) ** 2 + ((y - of('cy')) / (ry - WITHIN)) ** 2 < 1;
    }
  }
}

/** Within a shape without dents: on one side of all of its lines. */
function inPolygon(corners: readonly Point[]): Covers {
  return ({ x, y }) => {
    const sides = corners.map((from, index) => {
      const to = corners[(index + 1) % corners.length] ?? from;
      return ((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)) / Math.hypot(to.x - from.x, to.y - from.y);
    });
    return sides.every((side) => side > WITHIN) || sides.every((side) => side < -WITHIN);
  };
}

/** A line without what is below the box that it ends in. */
function upToBox(points: readonly Point[], boxes: readonly Covers[]): readonly Point[] {
  const [before, end] = points.slice(-2);
  if (before === undefined || end === undefined) return points;
  const box = boxes.find((covers) => covers(between(before, end)));
  if (box === undefined) return points;
  for (const [index, to] of points.slice(1).entries()) {
    const from = points[index] ?? to;
    if (box(from)) return points;
    const within = [to, between(from, to)].find(box);
    if (within !== undefined) return [...points.slice(0, index + 1), borderOf(box, from, within)];
  }
  return points;
}

function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** Where the way from a place outside of a box to one within it meets its border. */
function borderOf(covers: Covers, outside: Point, within: Point): Point {
  let [out, at] = [outside, within];
  for (let step = 0; step < 20; step += 1) {
    const middle = between(out, at);
    if (covers(middle)) at = middle;
    else out = middle;
  }
  return { x: Math.round(out.x * 100) / 100, y: Math.round(out.y * 100) / 100 };
}

/** From where to where something reaches, from left to right. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function textSpans(svg: Element, font: string): readonly Span[] {
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas === null) return [];
  return outsideOfDefs(svg, 'text').map((element) => {
    canvas.font = `${element.getAttribute('font-weight') ?? 400} ${element.getAttribute('font-size') ?? 13}px '${font}', system-ui, sans-serif`;
    const { width } = canvas.measureText(element.textContent);
    const x = Number(element.getAttribute('x') ?? 0);
    const anchor = element.getAttribute('text-anchor');
    const from = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x;
    return { from, to: from + width };
  });
}

/** Makes an image as wide as what is in it. */
function widen(svg: Element, spans: readonly Span[]): void {
  const [left = 0, top = 0, width = 0, height = 0] = (svg.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const from = Math.min(left, ...spans.map((span) => span.from - MARGIN));
  const to = Math.max(left + width, ...spans.map((span) => span.to + MARGIN));
  if (from === left && to === left + width) return;
  svg.setAttribute('viewBox', [from, top, to - from, height].join(' '));
  svg.setAttribute('width', String(to - from));
}
