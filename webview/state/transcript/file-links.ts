import { t } from '../../../src/protocol/l10n.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { MAX_FILES_ASKED } from '../../../src/protocol/limits.js';

/** Milliseconds in which mentions are collected for one question to the host. */
const COLLECT_MS = 60;
/** Milliseconds for which a file that was not there is not asked for again. */
const ABSENT_MS = 10_000;
/** The most paths of which it is remembered whether they are there. */
const MAX_KNOWN = 2_000;

/** Makes links of the paths in answers, once the host has said that they are files of the workspace. */
export class FileLinks {
  private readonly waiting = new Map<string, HTMLElement[]>();
  /** Whether a path is there: for good, or until when it is taken to be absent. */
  private readonly known = new Map<string, true | number>();
  private readonly unasked = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly post: (message: PanelMessage) => void) {}

  /** Takes in elements that may name a file in `data-file`. */
  add(elements: readonly HTMLElement[]): void {
    for (const element of elements) {
      const path = element.dataset['file'] ?? '';
      const known = this.known.get(path);
      if (known === true) linkTo(element, path);
      else if (known === undefined || known < performance.now()) this.ask(path, element);
    }
  }

  /** The host's answer: of the paths `asked`, those `found` are files. */
  answer(asked: readonly string[], found: readonly string[]): void {
    if (this.known.size > MAX_KNOWN) this.known.clear();
    const there = new Set(found);
    for (const path of asked) {
      this.known.set(path, there.has(path) ? true : performance.now() + ABSENT_MS);
      const elements = this.waiting.get(path) ?? [];
      this.waiting.delete(path);
      if (there.has(path)) for (const element of elements) linkTo(element, path);
    }
  }

  /** Forgets what it knows: another conversation may belong to other folders. */
  clear(): void {
    this.known.clear();
    this.waiting.clear();
    this.unasked.clear();
  }

  private ask(path: string, element: HTMLElement): void {
    const elements = this.waiting.get(path);
    if (elements === undefined) {
      this.waiting.set(path, [element]);
      this.unasked.add(path);
    } else elements.push(element);
    this.timer ??= setTimeout(() => this.send(), COLLECT_MS);
  }

  private send(): void {
    this.timer = undefined;
    const paths = [...this.unasked];
    this.unasked.clear();
    for (let at = 0; at < paths.length; at += MAX_FILES_ASKED) this.post({ type: 'find_files', paths: paths.slice(at, at + MAX_FILES_ASKED) });
  }
}

/** Wraps the content of an element in a link. */
function linkTo(element: HTMLElement, path: string): void {
  if (element.closest('a') !== null) return;
  const link = document.createElement('a');
  link.className = 'file-link';
  // A click handler elsewhere opens the file; the address only makes the link focusable.
  link.href = '#';
  link.dataset['file'] = path;
  link.title = t('Open {0}', path);
  delete element.dataset['file'];
  if (element.matches('.inert-link, span')) {
    link.append(...element.childNodes);
    element.replaceWith(link);
  } else {
    element.replaceWith(link);
    link.append(element);
  }
}
