import { LatestState } from '../../concurrency/latest-state.js';
import type { Log } from '../../domain/log.js';
import type { SessionEvent } from '../../engine/events.js';
import type { Elves } from '../../elf/elves.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { elfViews, limitView } from '../projection/elf-view.js';
import type { Conversation } from './conversation.js';

/** Milliseconds between two changes that are shown: agents side by side would have each of their steps drawn. */
const SHOWN_EVERY_MS = 100;

/** Services that show the agents of a conversation. */
export interface FollowElvesDeps {
  readonly elves: Elves;
  readonly models: Pick<ModelRegistry, 'labelsOf' | 'onDidChange'>;
  /** Calls back when what agents have changed is kept or undone, or changes otherwise. Returns how to stop that. */
  readonly onReviewed: (listener: () => void) => () => void;
  readonly log: Log;
}

/** Shows the agents that work on parts of the task of a conversation. Returns what ends that. */
export function followElves(conversation: Conversation, { elves, models, onReviewed, log }: FollowElvesDeps): () => void {
  const { session } = conversation;
  const stops: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const looking = new LatestState(
    () => elves.lookAgain(session),
    (error) => log.error('What was applied of worktrees is not known', error),
  );
  let ended = false;
  const begin = async (): Promise<void> => {
    const household = await elves.of(session);
    if (ended) return;
    const show = (): void => {
      timer = undefined;
      const { reached } = household;
      // It is asked about in the chat alone, and not in the tabs of those that work for it.
      const elfLimit = reached === undefined || session.identity.worksFor !== undefined ? null : limitView(reached, conversation.wantedElves);
      conversation.show({ elves: elfViews(household, (key) => models.labelsOf(key)), elfLimit });
    };
    if (household.facts.length > 0 || household.reached !== undefined) show();
    const showSoon = (): void => void (timer ??= setTimeout(show, SHOWN_EVERY_MS));
    stops.push(
      household.onDidChange(showSoon),
      // The lists of models may come later than the chat.
      models.onDidChange(() => household.facts.length > 0 && showSoon()),
      // What agents change meanwhile is known when they have ended.
      onReviewed(() => session.state === 'idle' && looking.soon()),
      session.onEvent(({ type }) => type === 'turn_ended' && looking.soon()),
    );
    looking.soon();
  };
  const start = (): void => {
    begin().catch((error: unknown) => log.error('The agents of a chat cannot be shown', error));
  };
  // A new chat has had none, and most never have.
  const forget =
    session.messages.length > 0
      ? undefined
      : session.onEvent((event) => {
          if (!startsAgent(event)) return;
          forget?.();
          start();
        });
  if (forget === undefined) start();
  return () => {
    ended = true;
    forget?.();
    for (const stop of stops) stop();
    clearTimeout(timer);
    looking.dispose();
  };
}

function startsAgent(event: SessionEvent): boolean {
  return event.type === 'tool_call' && event.state.status === 'running' && event.state.plan.accesses.some(({ kind }) => kind === 'spawn');
}
