import temml from 'temml';

/** Limits for sizes in a formula, in em, and for their offset from the text. */
const MAX_SIZE: [number, number] = [20, 40];
/** Macros that a formula may have expanded, one after the other: some expand to more than any page could show. */
const MAX_EXPANSIONS = 500;
/** Elements of a formula at most. */
const MAX_ELEMENTS = 3_000;

const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Of MathML Core, what only draws: nothing that links, runs or loads anything. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...['math', 'semantics', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mspace', 'mtext', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'mpadded', 'mphantom', 'menclose'],
  ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'none', 'mtable', 'mtr', 'mlabeledtr', 'mtd'],
]);
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'mathcolor', 'mathbackground', 'mathsize', 'dir', 'class', 'style', 'notation'],
  ...['form', 'fence', 'separator', 'stretchy', 'symmetric', 'largeop', 'movablelimits', 'lspace', 'rspace', 'minsize', 'maxsize', 'accent', 'accentunder'],
  ...['linethickness', 'numalign', 'denomalign', 'bevelled', 'width', 'height', 'depth', 'voffset', 'columnspan', 'rowspan'],
  ...['columnalign', 'columnspacing', 'columnlines', 'rowalign', 'rowspacing', 'rowlines', 'align', 'side', 'width', 'frame', 'framespacing'],
]);

/**
 * Draws a formula in TeX as MathML, which the browser itself lays out.
 * @param display whether it is on a line of its own.
 * @returns `undefined` for what is no formula, or draws anything that a formula has no need of.
 */
export function drawFormula(tex: string, display: boolean): Element | undefined {
  const place = document.createElement('span');
  try {
    temml.render(tex, place, { displayMode: display, throwOnError: true, trust: false, maxSize: MAX_SIZE, maxExpand: MAX_EXPANSIONS });
  } catch {
    // A text that is no TeX, or nested too deeply for the parser: it stays as it was written.
    return undefined;
  }
  const formula = place.firstElementChild;
  return formula !== null && place.children.length === 1 && isHarmless(formula) ? formula : undefined;
}

function isHarmless(formula: Element): boolean {
  const all = [formula, ...formula.querySelectorAll('*')];
  return all.length <= MAX_ELEMENTS && all.every(isDrawing);
}

function isDrawing({ namespaceURI, localName, attributes }: Element): boolean {
  return namespaceURI === MATHML && ELEMENTS.has(localName) && [...attributes].every(({ name }) => ATTRIBUTES.has(name));
}
