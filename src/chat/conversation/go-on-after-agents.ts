import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { TurnEnd } from '../../engine/events.js';
import { mayRestAfter } from '../../engine/events.js';
import type { ElfFacts } from '../../elf/elf.js';
import type { Elves } from '../../elf/elves.js';
import { AGENTS_ENDED } from '../../domain/session/elf.js';
import type { Conversation } from './conversation.js';

/** Services of {@link goOnAfterAgents}. */
export interface GoOnDeps {
  readonly elves: Pick<Elves, 'news'>;
  /** Whether the user wants that, see the setting `gnomon.agents.continueChat`. */
  readonly wanted: () => boolean;
}

/**
 * Sends a message for the user once agents that a chat has started in the background have ended and it does nothing: with what they found, it goes on.
 * It does so once for each of their runs, and never after the user has stopped the chat, or what it did last has failed. Returns what ends that.
 */
export function goOnAfterAgents(conversation: Conversation, { elves, wanted }: GoOnDeps): () => void {
  const { session } = conversation;
  // An agent that is looked at has what it works for to go on.
  if (conversation.chat !== undefined) return () => undefined;
  const taken = new Set<string>();
  let last: TurnEnd | undefined;
  return session.onEvent((event) => {
    if (event.type === 'turn_ended') last = event.turn.end;
    if (event.type === 'turn_started') last = undefined;
    if (!mayRestAfter(event) || conversation.busy || session.closed || last !== 'end_turn' || !wanted()) return;
    const ended = elves.news(session.id).filter((elf) => cameToAnEnd(elf) && !taken.has(runOf(elf)));
    if (ended.length === 0) return;
    for (const elf of ended) taken.add(runOf(elf));
    conversation.notify({ level: 'info', text: t('Agents have ended, and the chat goes on with what they found.'), actions: [] });
    try {
      conversation.send([{ type: 'text', text: AGENTS_ENDED }]);
    } catch (error) {
      conversation.notify({ level: 'warning', text: errorMessage(error), actions: [] });
    }
  });
}

/** Whether there is something to go on with: what the user has stopped, or a window has left off, is not. */
function cameToAnEnd({ runs }: ElfFacts): boolean {
  const state = runs.at(-1)?.state;
  return state === 'completed' || state === 'failed';
}

/** A run of an agent. */
function runOf({ name, runs }: ElfFacts): string {
  return `${name} ${runs.length}`;
}
