import type { Attachment } from 'svelte/attachments';
import { isMainKey } from '../keys.js';
import type { Panel } from '../connection/panel.svelte.js';
import type { KeyGuard } from './key-guard.js';

/** Actions of a card's keyboard shortcuts. */
export interface CardActions {
  readonly guard: KeyGuard;
  /** Where the user may be writing, and where the search may be open, which Escape closes first. */
  readonly panel: Panel;
  /** The main button, for Ctrl+Enter or Cmd+Enter. */
  readonly accept: () => void;
  /** The button that refuses or skips, for Escape. */
  readonly refuse: () => void;
  /** Whether accepting wants the focus in the card: what is dangerous is not accepted from elsewhere. */
  readonly wantsFocus: () => boolean;
}

/**
 * Gives a card that wants an answer its keys wherever the focus is in the page, as long as it is the first of its kind. A card
 * that is out of sight is brought into view instead, and answered by the next press. In a field, the keys are that field's, unless it
 * is the empty message box. While a message is being written, Ctrl+Enter accepts only from within the card: it is the key that sends
 * a message in many other programs.
 */
export function cardKeys(actions: CardActions): Attachment<HTMLElement> {
  return (card) => {
    const onkeydown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || !takesKeys(card, actions.panel)) return;
      const accepts = isMainKey(event);
      if ((!accepts && event.key !== 'Escape') || !isFree(event.target, actions.panel)) return;
      if (!accepts && actions.panel.parts.search.open) return;
      if (accepts && (actions.wantsFocus() || !actions.panel.composer.isEmpty) && !card.contains(document.activeElement)) return;
      event.preventDefault();
      if (!actions.guard.allowsShortcut(event, performance.now())) return;
      if (!isInView(card)) card.scrollIntoView({ block: 'nearest' });
      else if (accepts) actions.accept();
      else actions.refuse();
    };
    document.addEventListener('keydown', onkeydown);
    const unwatch = actions.panel.cards.watch(card);
    return () => {
      document.removeEventListener('keydown', onkeydown);
      unwatch();
    };
  };
}

/** One that is not shown, because the history is, takes no keys. */
function takesKeys(card: HTMLElement, { cards }: Panel): boolean {
  return card.checkVisibility() && cards.isFirst(card);
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio');
}

/** Whether a key is not that of a field. The fields of the card say themselves what their keys do. */
function isFree(target: EventTarget | null, { composer }: Panel): boolean {
  return !isField(target) || (target === composer.box && composer.text === '');
}

function isInView(card: HTMLElement): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
