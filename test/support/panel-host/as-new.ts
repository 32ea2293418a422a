/**
 * Tells, in the page, whether it is as it was when it was just loaded: what is in it, what is typed, scrolled, selected, or has
 * the focus, what tests left in it, and what is still to happen by itself. Loading the panel, and what drives it, takes ten times
 * as long as showing another conversation, so a page that is as new serves the next test of a file as it is.
 */

/** What timers that wait are going to run, by their numbers. */
const timers = new Map<number, string>();

/** Has the timers of the page known from now on. Called before the panel's script runs. */
export function followTimers(): void {
  const start = window.setTimeout.bind(window);
  const end = window.clearTimeout.bind(window);
  Object.assign(window, {
    setTimeout: (run: (...values: unknown[]) => void, delay?: number, ...values: unknown[]): number => {
      const timer = start(() => {
        timers.delete(timer);
        run(...values);
      }, delay);
      timers.set(timer, String(run));
      return timer;
    },
    clearTimeout: (timer?: number): void => {
      end(timer);
      if (timer !== undefined) timers.delete(timer);
    },
  });
}

/** What tests leave in the page that the next one has no use for and takes no harm from. */
const HARMLESS = new Set(['axe', 'heard']);

/** An element without its children, the numbers in the names of elements, and what depends on the width of the page. */
function own(element: Element): string {
  const attributes = [...element.attributes].filter(({ name }) => name !== 'placeholder' && element !== document.documentElement);
  const words = attributes.map(({ name, value }) => `${name}=${/\bc\d+\b/.test(value) ? '' : value}`).sort();
  const typed = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : '';
  return [element.tagName, ...words, typed, element.scrollTop, element.scrollLeft].join(' ');
}

/** All that can be seen of the page. */
function look(): string {
  return JSON.stringify([
    [...document.querySelectorAll('*')].map(own),
    document.body.textContent,
    [document.documentElement.lang, document.adoptedStyleSheets.length, CSS.highlights.size],
    [document.activeElement?.tagName, getSelection()?.type],
    Object.keys(window).filter((name) => !HARMLESS.has(name)),
  ]);
}

/** How a page was when it was just loaded. */
export interface Newness {
  readonly look: string;
  readonly timers: ReadonlySet<string>;
}

/** How the page is now. */
export function newness(): Newness {
  return { look: look(), timers: new Set(timers.values()) };
}

/** Whether the page is as it was, and nothing more is to happen by itself. */
export function isAsNew(then: Newness): boolean {
  return [...timers.values()].every((run) => then.timers.has(run)) && document.getAnimations().length === 0 && look() === then.look;
}
