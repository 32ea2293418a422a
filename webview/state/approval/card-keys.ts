import type { Attachment } from 'svelte/attachments';
import { isMainKey } from '../keys.js';
import type { KeyGuard } from './key-guard.js';

/** What the keys of a card do. */
export interface CardActions {
  readonly guard: KeyGuard;
  /** The main button, for Ctrl+Enter or Cmd+Enter. */
  readonly accept: () => void;
  /** The button that refuses or skips, for Escape. */
  readonly refuse: () => void;
  /** Whether something lies above the card that Escape closes first, such as the search. */
  readonly isCovered: () => boolean;
  /** Whether accepting wants the focus in the card: what is dangerous is not accepted from elsewhere. */
  readonly wantsFocus: () => boolean;
}

/**
 * Gives a card that wants an answer its keys wherever the focus is in the page, as long as it is the first of its kind. A card
 * that is out of sight is brought into view instead, and answered by the next press. Text is never lost: with the focus in a
 * field, Escape is that field's, unless it is the empty message box.
 */
export function cardKeys(actions: CardActions): Attachment<HTMLElement> {
  return (card) => {
    const onkeydown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || !isFirst(card)) return;
      if (isMainKey(event) ? !acceptsFrom(event.target, card) : event.key !== 'Escape' || !refusesFrom(event.target, card)) return;
      if (event.key === 'Escape' && actions.isCovered()) return;
      if (event.key !== 'Escape' && actions.wantsFocus() && !card.contains(document.activeElement)) return;
      event.preventDefault();
      if (!actions.guard.allowsShortcut(event, performance.now())) return;
      if (!isInView(card)) card.scrollIntoView({ block: 'nearest' });
      else if (event.key === 'Escape') actions.refuse();
      else actions.accept();
    };
    document.addEventListener('keydown', onkeydown);
    return () => document.removeEventListener('keydown', onkeydown);
  };
}

/** The oldest card comes first on the page. One that is not shown, because the history is, takes no keys. */
function isFirst(card: HTMLElement): boolean {
  return card.checkVisibility() && document.querySelector('[data-card]') === card;
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio');
}

/** A field of the card says itself what its keys do. */
function acceptsFrom(target: EventTarget | null, card: HTMLElement): boolean {
  return !isField(target) || (!card.contains(target) && target.closest('.composer') !== null);
}

function refusesFrom(target: EventTarget | null, card: HTMLElement): boolean {
  return !isField(target) || (!card.contains(target) && target.closest('.composer') !== null && target.value === '');
}

function isInView(card: HTMLElement): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
