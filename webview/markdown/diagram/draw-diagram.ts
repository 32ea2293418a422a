import { renderMermaid } from 'beautiful-mermaid';
import { mendDrawing } from './mend-drawing.js';
import { type ReadDiagram, readDiagram, show } from './readers/index.js';

/** Colors and font of a diagram, as concrete values: inside of an image no variable of the page is known. */
export interface DiagramLook {
  readonly bg: string;
  readonly fg: string;
  readonly font: string;
}

/** A diagram as an image of its own. */
export interface DrawnDiagram {
  readonly svg: Blob;
  readonly width: number;
  readonly height: number;
}

const SVG = 'http://www.w3.org/2000/svg';
/** Names of the styles of an image while it is a document: the page allows styles of files alone, and its images may have their own. */
const STYLES = 'styles';
/** Allowed SVG elements, which only draw. An image runs and loads nothing anyhow; with any other element, the diagram is not shown. */
const ELEMENTS: ReadonlySet<string> = new Set([
  'svg',
  STYLES,
  'defs',
  'marker',
  'g',
  'rect',
  'circle',
  'ellipse',
  'line',
  'path',
  'polygon',
  'polyline',
  'text',
  'tspan',
  'title',
]);
/** Elements of a diagram, and pixels of each of its sides. */
const MAX_ELEMENTS = 3_000;
const MAX_SIDE = 10_000;
const PADDING = 8;

/**
 * Draws a diagram in the language of Mermaid: flowcharts, states, sequences, classes and entities. What it makes is data for a
 * image, in which nothing runs, is loaded or can be pressed, whatever the text of the diagram says.
 * @returns `undefined` for what cannot be drawn.
 */
export async function drawDiagram(source: string, { bg, fg, font }: DiagramLook): Promise<DrawnDiagram | undefined> {
  const diagram = readDiagram(source);
  if (diagram === undefined) return undefined;
  let text: string;
  try {
    text = await renderMermaid(diagram.text, {
      bg,
      fg,
      font,
      line: mix(fg, bg, 55),
      accent: mix(fg, bg, 80),
      muted: mix(fg, bg, 80),
      border: mix(fg, bg, 45),
      padding: PADDING,
      transparent: true,
    });
  } catch {
    // It stays as it was written.
    return undefined;
  }
  const parsed = new DOMParser().parseFromString(withoutStyles(withoutImports(text)), 'image/svg+xml');
  const svg = parsed.documentElement;
  for (const element of svg.querySelectorAll('text, tspan')) showTexts(element);
  if (!isHarmless(svg) || !isWhole(svg, diagram)) return undefined;
  mendDrawing(svg, font);
  const [width, height] = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))];
  if (!(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE)) return undefined;
  return {
    svg: new Blob([withStyles(new XMLSerializer().serializeToString(svg))], { type: 'image/svg+xml' }),
    width: Math.ceil(width),
    height: Math.ceil(height),
  };
}

/** A color between two others, with so many percent of the first. */
function mix(color: string, other: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, ${other})`;
}

function showTexts(element: Element): void {
  for (const node of element.childNodes) if (node instanceof Text) node.data = show(node.data);
}

/** Whether an image has all lines and all texts of its diagram, and no others. A wrong image costs the trust in all right ones. */
function isWhole(svg: Element, { edges, labels }: ReadDiagram): boolean {
  const drawn = [...svg.querySelectorAll('polyline, line[marker-end]')].filter((line) => line.closest('defs') === null).length;
  const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => wordsOf(textContent)).toSorted();
  const wanted = labels.map(wordsOf).toSorted();
  return drawn === edges && texts.length === wanted.length && texts.every((text, index) => text === wanted[index]);
}

/** A text without the spaces that a member of a class gets behind its sign. */
function wordsOf(text: string): string {
  return text.replace(/\s+/g, '');
}

/** The font that the drawing library would fetch is the user's own, which is there. */
function withoutImports(svg: string): string {
  return svg.replace(/@import[^;]*;(?:[^;'"]*['"]\);)?/g, '');
}

/** The one style sheet of an image and the variables of its first element, under names that mean nothing. Texts have no such letters: they are escaped. */
function withoutStyles(svg: string): string {
  return svg
    .replace(/^(<svg\b[^>]*) style=/, `$1 ${STYLES}=`)
    .replace('<style>', `<${STYLES}>`)
    .replace('</style>', `</${STYLES}>`);
}

/** An image of {@link withoutStyles} as it was. */
function withStyles(svg: string): string {
  return svg
    .replace(new RegExp(`^(<svg\\b[^>]*) ${STYLES}=`), '$1 style=')
    .replace(`<${STYLES}>`, '<style>')
    .replace(`</${STYLES}>`, '</style>');
}

function isHarmless(svg: Element): boolean {
  const all = [svg, ...svg.querySelectorAll('*')];
  return (
    svg.localName === 'svg' && all.length <= MAX_ELEMENTS && all.every(isDrawing) && !/@import|url\((?!#)/.test(svg.querySelector(STYLES)?.textContent ?? '')
  );
}

function isDrawing({ namespaceURI, localName, attributes }: Element): boolean {
  return namespaceURI === SVG && ELEMENTS.has(localName) && [...attributes].every(({ name, value }) => !/^on|href$/i.test(name) && !/url\((?!#)/i.test(value));
}
