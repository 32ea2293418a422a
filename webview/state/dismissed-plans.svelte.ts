import type { TodoItem } from '../../src/domain/tool/interaction.js';
import type { Host } from './connection/host.js';

/** Conversations whose plans are remembered, and characters of a plan that identify it. */
const MAX_SESSIONS = 20;
const MAX_KEY = 500;

/** Plans that the user has dismissed: they stay hidden until the model makes another one. */
export class DismissedPlans {
  private plans = $state.raw<Readonly<Record<string, string>>>({});

  constructor(private readonly host: Host) {
    this.plans = stored(host.getState());
  }

  /** Whether a plan is shown: one that is finished goes with the turn. */
  isShown(session: string, todos: readonly TodoItem[], running: boolean): boolean {
    if (todos.length === 0 || this.plans[session] === keyOf(todos)) return false;
    return running || todos.some(({ status }) => status !== 'done');
  }

  /** The user does not want to see a plan any more, however far it comes. */
  dismiss(session: string, todos: readonly TodoItem[]): void {
    const others = Object.entries(this.plans).filter(([id]) => id !== session);
    const all: readonly (readonly [string, string])[] = [...others, [session, keyOf(todos)]];
    this.plans = Object.fromEntries(all.slice(-MAX_SESSIONS));
    this.host.setState({ dismissedPlans: this.plans });
  }
}

/** Comparison key of a plan: the same as long as its steps are. */
function keyOf(todos: readonly TodoItem[]): string {
  const texts = JSON.stringify(todos.map(({ text }) => text));
  return `${texts.length}:${texts.slice(0, MAX_KEY)}`;
}

function stored(state: unknown): Readonly<Record<string, string>> {
  const plans: unknown = typeof state === 'object' && state !== null && 'dismissedPlans' in state ? state.dismissedPlans : undefined;
  if (typeof plans !== 'object' || plans === null) return {};
  return Object.fromEntries(Object.entries(plans).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
