import type { DiffLine } from './diff-lines.js';
import { visibleParts } from './visible-text.js';
import type { Work } from '../connection/work-queue.js';

/** Lines that are added in a step, and kept together so that they cost nothing outside of the window. */
const LINES_PER_STEP = 60;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', context: '', hunk: '', note: '' };

/** Renders the lines of a diff, step by step, so that a long one does not block the page. */
export class DiffRenderer implements Work {
  private readonly host: HTMLElement;
  private readonly lines: readonly DiffLine[];
  private readonly finished: () => void;
  private next = 0;

  /** `finished` is called when the last line is in the page. */
  constructor(host: HTMLElement, lines: readonly DiffLine[], finished: () => void) {
    this.host = host;
    this.lines = lines;
    this.finished = finished;
  }

  step(): boolean {
    const part = document.createElement('div');
    part.className = 'part';
    part.append(...this.lines.slice(this.next, this.next + LINES_PER_STEP).map(lineElement));
    this.host.append(part);
    this.next += LINES_PER_STEP;
    if (this.next < this.lines.length) return true;
    this.finished();
    return false;
  }
}

function lineElement(line: DiffLine): HTMLElement {
  const element = document.createElement('div');
  element.className = `line ${line.kind}`;
  const sign = document.createElement('span');
  sign.className = 'sign';
  sign.textContent = SIGNS[line.kind];
  const text = document.createElement('span');
  text.append(...visibleParts(line.text).map((part) => (part.escape ? escapeElement(part.text) : part.text)));
  element.append(sign, text);
  return element;
}

function escapeElement(text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'escape';
  element.textContent = text;
  return element;
}
