/** Keys that move between buttons; each maps an index and the number of buttons to the next index. */
const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Makes one stop of the Tab key of a toolbar: the button that had the focus last, at first the first one. Arrow keys go
 * from button to button. @returns what ends that.
 */
export function oneTabStop(toolbar: HTMLElement): () => void {
  let current: Element | undefined;
  const update = (): void => {
    const buttons = buttonsOf(toolbar);
    const stop = buttons.find((button) => button === current) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  const onFocus = ({ target }: FocusEvent): void => {
    current = target instanceof Element ? target : undefined;
    update();
  };
  const onKey = (event: KeyboardEvent): void => goByKey(buttonsOf(toolbar), event);
  // Buttons come, go, and cannot always be pressed.
  const observer = new MutationObserver(update);
  observer.observe(toolbar, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  toolbar.addEventListener('focusin', onFocus);
  toolbar.addEventListener('keydown', onKey);
  update();
  return () => {
    observer.disconnect();
    toolbar.removeEventListener('focusin', onFocus);
    toolbar.removeEventListener('keydown', onKey);
  };
}

function goByKey(buttons: readonly HTMLButtonElement[], event: KeyboardEvent): void {
  const at = buttons.findIndex((button) => button === document.activeElement);
  const step = STEPS[event.key];
  if (step === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  buttons[step(at, buttons.length)]?.focus();
  event.preventDefault();
}

function buttonsOf(toolbar: HTMLElement): readonly HTMLButtonElement[] {
  return [...toolbar.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
}
