import { t } from '../../../src/protocol/l10n.js';
import type { ViewElf, ViewElfState } from '../../../src/protocol/view-state.js';
import { agentName } from './agent-labels.js';
import { isActive } from './agent-tree.js';

/** Sentences about single agents that are said at once. */
const MAX_SENTENCES = 3;

/** The states of agents by their ids. */
export type AgentStates = ReadonlyMap<string, ViewElfState>;

/** The states that agents have now. */
export function agentStates(elves: readonly ViewElf[]): AgentStates {
  return new Map(elves.map(({ id, state }) => [id, state]));
}

/** What a screen reader says about a change: that one needs the user, that one failed, that all have ended. Empty for another change, `undefined` for none. */
export function agentNews(before: AgentStates, elves: readonly ViewElf[]): string | undefined {
  const changed = elves.filter(({ id, state }) => before.get(id) !== state);
  if (changed.length === 0) return undefined;
  const single = changed.flatMap((elf) => {
    if (elf.state === 'waiting') return [t('The agent “{0}” needs you.', agentName(elf))];
    return elf.state === 'failed' ? [t('The agent “{0}” failed.', agentName(elf))] : [];
  });
  const worked = [...before.values()].some((state) => isActive({ state }));
  const ended = worked && !elves.some(isActive);
  return [...single.slice(0, MAX_SENTENCES), ...(ended ? [t('All agents have ended.')] : [])].join(' ');
}
