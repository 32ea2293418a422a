import type { TodoItem } from '../../src/domain/tool/interaction.js';
import type { Host } from './connection/host.js';
import { Dismissed } from './dismissed.svelte.js';

/** Characters of a plan that identify it. */
const MAX_KEY = 500;

/** Plans that the user has dismissed: they stay hidden until the model makes another one. */
export class DismissedPlans {
  private readonly dismissed: Dismissed;

  constructor(host: Host) {
    this.dismissed = new Dismissed(host, 'dismissedPlans');
  }

  /** Whether a plan is shown: one that is finished goes with the turn. */
  isShown(session: string, todos: readonly TodoItem[], running: boolean): boolean {
    if (todos.length === 0 || this.dismissed.has(session, keyOf(todos))) return false;
    return running || todos.some(({ status }) => status !== 'done');
  }

  /** The user does not want to see a plan any more, however far it comes. */
  dismiss(session: string, todos: readonly TodoItem[]): void {
    this.dismissed.add(session, keyOf(todos));
  }
}

/** Comparison key of a plan: the same as long as its steps are. */
function keyOf(todos: readonly TodoItem[]): string {
  const texts = JSON.stringify(todos.map(({ text }) => text));
  return `${texts.length}:${texts.slice(0, MAX_KEY)}`;
}
