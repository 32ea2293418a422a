/**
 * Scrolls to the next end of a card that was not on screen yet, and on to the buttons below it where both fit.
 * @param card with marks at the ends of what has to be read, and a row of buttons
 */
export function showNextEnd(card: Element | null | undefined): void {
  const mark = card?.querySelector('.end-mark:not(.seen)') ?? card?.querySelector('.end-mark');
  if (card === null || card === undefined || mark === null || mark === undefined) return;
  mark.scrollIntoView({ block: 'nearest' });
  [...card.querySelectorAll('.button-row')].at(-1)?.scrollIntoView({ block: 'nearest' });
  const top = card.closest('[role=log]')?.getBoundingClientRect().top ?? 0;
  if (mark.getBoundingClientRect().top < top) mark.scrollIntoView({ block: 'nearest' });
}
