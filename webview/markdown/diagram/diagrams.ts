import { t } from '../../../src/protocol/l10n.js';
import type { HighlightDeps } from '../highlight/highlights.js';
import type * as drawing from './draw-diagram.js';

type Drawing = typeof drawing;

/** Diagrams of one text that are drawn. */
const MAX_DIAGRAMS = 30;
/** Longest source of a diagram: layout of longer ones would block the page for too long. */
const MAX_LENGTH = 2_500;
const MAX_LINES = 80;

/** The diagrams of one text that wait to be drawn, one after the other when nothing else is to do. */
export class Diagrams {
  private readonly waiting: HTMLElement[] = [];
  private count = 0;
  private drawing: Drawing | undefined;

  constructor(private readonly deps: HighlightDeps) {}

  /** Takes the code of a block that is complete and in its frame; what is no diagram is left alone. */
  add(pre: HTMLElement, language: string): void {
    if (language.toLowerCase() !== 'mermaid') return;
    const source = pre.textContent;
    this.count += 1;
    if (this.count > MAX_DIAGRAMS || source.length > MAX_LENGTH || source.split('\n').length > MAX_LINES) return sayNotDrawn(pre);
    this.waiting.push(pre);
    if (this.drawing !== undefined) return;
    if (this.count === 1) this.load().catch(this.deps.failed);
  }

  /** Draws one; `true` when more of them wait. */
  step(): boolean {
    const pre = this.drawing === undefined ? undefined : this.waiting.shift();
    if (pre === undefined || this.drawing === undefined) return false;
    draw(pre, this.drawing).catch(this.deps.failed);
    return this.waiting.length > 0;
  }

  /** Loads the drawing bundle with the first diagram. */
  private async load(): Promise<void> {
    this.drawing = await import('./draw-diagram.js');
    this.deps.wake();
  }
}

async function draw(pre: HTMLElement, drawing: Drawing): Promise<void> {
  const image = await imageOf(pre, drawing);
  if (image === undefined) {
    sayNotDrawn(pre);
    return;
  }
  const frame = document.createElement('div');
  frame.className = 'diagram';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', t('Diagram'));
  frame.append(image);
  pre.before(frame);
  addToggle(pre, frame);
  followTheme(frame, async () => {
    const again = await imageOf(pre, drawing);
    if (again !== undefined) frame.replaceChildren(again);
  });
}

/** The diagram in the colors that its block has now; `undefined` when it cannot be drawn. */
async function imageOf(pre: HTMLElement, { drawDiagram }: Drawing): Promise<HTMLImageElement | undefined> {
  // Of the block, since the source itself may be hidden.
  const style = getComputedStyle(pre.closest('.code-block') ?? pre);
  const look = { bg: style.backgroundColor, fg: style.color, font: firstFont(getComputedStyle(document.body).fontFamily) };
  const drawn = await drawDiagram(pre.textContent, look);
  if (drawn === undefined) return undefined;
  const image = document.createElement('img');
  image.alt = t('Diagram');
  image.width = drawn.width;
  image.height = drawn.height;
  const url = URL.createObjectURL(drawn.svg);
  image.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
  image.src = url;
  return image;
}

/** Redraw callbacks of the diagrams in the page. */
const redraws = new WeakMap<Element, () => Promise<void>>();
let observer: MutationObserver | undefined;

/** Draws a diagram again when the user chooses another theme, which changes the class of the page. */
function followTheme(frame: HTMLElement, redraw: () => Promise<void>): void {
  redraws.set(frame, redraw);
  observer ??= new MutationObserver(() => {
    for (const each of document.querySelectorAll('.diagram')) void redraws.get(each)?.();
  });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}

/** The image or its source, one of them at a time; the source stays what is copied. */
function addToggle(pre: HTMLElement, frame: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'diagram-source';
  const show = (source: boolean): void => {
    pre.hidden = !source;
    frame.hidden = source;
    button.textContent = source ? t('Show Diagram') : t('Show Source');
  };
  button.addEventListener('click', () => show(pre.hidden));
  show(false);
  labelOf(pre)?.after(button);
}

function sayNotDrawn(pre: HTMLElement): void {
  const label = labelOf(pre);
  if (label !== null && label !== undefined) label.textContent = `${label.textContent} · ${t('could not be drawn')}`;
}

function labelOf(pre: HTMLElement): HTMLElement | null | undefined {
  return pre.closest('.code-block')?.querySelector<HTMLElement>('.code-head > span');
}

/** The first of some fonts, without its quotation marks. */
function firstFont(families: string): string {
  return /^\s*["']?([\w -]{1,60})/.exec(families)?.[1]?.trim() ?? 'sans-serif';
}
