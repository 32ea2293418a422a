import type { ViewElf } from '../../../src/protocol/view-state.js';
import type { Host } from '../connection/host.js';
import { Dismissed } from '../dismissed.svelte.js';
import { isActive } from './agent-tree.js';

/** Agents that have ended and that the user has dismissed: they stay hidden until another one starts, or one of them goes on. */
export class DismissedAgents {
  private readonly dismissed: Dismissed;

  constructor(host: Host) {
    this.dismissed = new Dismissed(host, 'dismissedAgents');
  }

  /** Whether they are shown: as long as one is at work, in any case. */
  areShown(session: string, elves: readonly ViewElf[]): boolean {
    return elves.some(isActive) || (elves.length > 0 && !this.dismissed.has(session, keyOf(elves)));
  }

  /** Shows them again. */
  recall(session: string): void {
    this.dismissed.add(session, '');
  }

  dismiss(session: string, elves: readonly ViewElf[]): void {
    this.dismissed.add(session, keyOf(elves));
  }
}

/** Comparison key: another one when an agent is started, as ids are used once, or told to go on. */
function keyOf(elves: readonly ViewElf[]): string {
  return JSON.stringify([elves.length, elves.reduce((sum, { runs }) => sum + runs, 0), elves.at(-1)?.id]);
}
