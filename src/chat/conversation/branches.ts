import { attachedBlocks, withWords } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { UserMessage } from '../../domain/model/message.js';
import type { PaneActions } from '../pane/pane-actions.js';
import type { ViewItem } from '../../protocol/view-state.js';
import { messageIndexOf } from '../projection/item-ids.js';

/** Shows a branch that ends with an item. */
export async function forkItem(pane: PaneActions, item: string): Promise<void> {
  await pane.branch(placeIn(pane, item).end);
}

/** Asks again for an answer, in a branch that begins before the question. */
export async function retryItem(pane: PaneActions, item: string): Promise<void> {
  const { question, message } = questionOf(pane, item);
  if (await pane.branch(question)) await pane.send(message.content);
}

/** Says something else in place of a message, in a branch that begins before it. What was attached stays attached. */
export async function resendItem(pane: PaneActions, item: string, words: string): Promise<void> {
  const { question, message } = questionOf(pane, item);
  const content: readonly UserContent[] = withWords(attachedBlocks(message), words);
  if (await pane.branch(question)) await pane.send(content);
}

function questionOf(pane: PaneActions, item: string): { readonly question: number; readonly message: UserMessage } {
  const { current } = pane;
  if (current.running) throw new Error(t('Gnomon is still working. Wait until it finishes, or stop it, before asking again.'));
  const { question } = placeIn(pane, item);
  const message = current.session.messages[question];
  if (message?.role !== 'user') throw new Error(t('That message is no longer in this chat.'));
  return { question, message };
}

function placeIn({ current }: PaneActions, item: string): ItemPlace {
  const place = placeOfItem(current.view.state.items, item, current.session.messages.length);
  if (place === undefined) throw new Error(t('That message is no longer in this chat.'));
  return place;
}

/** Position of a message of the transcript in the conversation. */
interface ItemPlace {
  /** Index of the user's message: the item itself, or the one that it answers. */
  readonly question: number;
  /** Number of messages up to the end of the item. */
  readonly end: number;
}

/**
 * Finds a message of the user or an answer; `undefined` for other items and for ones that are not there.
 * @param count how many messages the conversation has.
 */
export function placeOfItem(items: readonly ViewItem[], id: string, count: number): ItemPlace | undefined {
  const at = items.findIndex((item) => item.id === id);
  const item = items[at];
  if (item?.kind !== 'user' && item?.kind !== 'answer') return undefined;
  const question = questionAt(items.slice(0, at + 1).findLast(({ kind }) => kind === 'user'));
  if (question === undefined) return undefined;
  if (item.kind === 'user') return { question, end: question + 1 };
  return { question, end: questionAt(items.slice(at + 1).find(({ kind }) => kind === 'user')) ?? count };
}

function questionAt(item: ViewItem | undefined): number | undefined {
  return item === undefined ? undefined : messageIndexOf(item.id);
}
