import { t } from '../../../src/protocol/l10n.js';
import type { HighlightDeps } from '../highlight/highlights.js';
import type * as drawing from './draw-formula.js';

type Drawing = typeof drawing;

/** Formulas of one text that are drawn; more stay as they are written. */
const MAX_FORMULAS = 1_000;
/** Characters of TeX from which on a formula within a line may be wider than the page. */
const WIDE_LENGTH = 60;

/** The formulas of one text that wait to be drawn, one after the other when nothing else is to do. */
export class Formulas {
  private readonly waiting: HTMLElement[] = [];
  private count = 0;
  private drawing: Drawing | undefined;

  constructor(private readonly deps: HighlightDeps) {}

  /** Takes an element with a formula in TeX, in the place of which the formula comes. */
  add(code: HTMLElement): void {
    this.count += 1;
    if (this.count > MAX_FORMULAS) return;
    this.waiting.push(code);
    if (this.count === 1) this.load().catch(this.deps.failed);
  }

  /** Draws one; `true` when more of them wait. */
  step(): boolean {
    const code = this.drawing === undefined ? undefined : this.waiting.shift();
    if (code === undefined) return false;
    const display = code.dataset['display'] === 'true';
    const tex = code.textContent;
    const formula = this.drawing?.drawFormula(tex, display);
    if (formula !== undefined) code.replaceWith(display ? lineOf(formula) : placeOf(formula, tex));
    return this.waiting.length > 0;
  }

  /** Loads the drawing bundle with the first formula. */
  private async load(): Promise<void> {
    this.drawing = await import('./draw-formula.js');
    this.deps.wake();
  }
}

/** A line with nothing but a formula. It scrolls on its own where it is too wide, and so has to be within reach of the keyboard. */
function lineOf(formula: Element): HTMLElement {
  const line = document.createElement('span');
  line.className = 'math-display';
  line.tabIndex = 0;
  line.setAttribute('role', 'group');
  line.setAttribute('aria-label', t('Formula'));
  line.append(formula);
  return line;
}

function placeOf(formula: Element, tex: string): HTMLElement {
  const place = document.createElement('span');
  place.className = tex.length < WIDE_LENGTH ? 'math-inline' : 'math-inline wide';
  place.append(formula);
  return place;
}
