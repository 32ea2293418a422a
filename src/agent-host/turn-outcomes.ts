import { ProviderError } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import { present } from '../domain/present.js';
import { wordsOf } from '../domain/session/attached.js';
import type { SessionParent } from '../domain/session/session-store.js';
import { CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { ReviewEvent, ReviewedChanges } from '../domain/workspace/changes.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { SessionEvent, Turn } from '../engine/events.js';
import type { Observed } from '../routing/observation-table.js';
import { type Ending, outcomeOf, type TurnFacts } from '../routing/outcome.js';
import { ChangedFile } from './changed-file.js';

/** Turns that are remembered: of older ones, nothing is observed any longer. */
const MOST_TURNS = 200;

/** Where what came of turns is learned from, and where it goes. */
export interface TurnOutcomesDeps {
  /** Absent: nobody keeps or undoes changes one by one. */
  readonly reviewed?: ReviewedChanges;
  /** What the last checks after the last edit of a turn said. Default: nothing was checked. */
  readonly checksOf?: (sessionId: string, messageIndex: number) => TurnFacts['checks'];
  /** Resolves when that is known, where it is still being found out; `undefined` where it is not. Does not reject. */
  readonly checksPending?: (sessionId: string, messageIndex: number) => Promise<unknown> | undefined;
  /** Absolute paths of the folders that are worked in. */
  readonly folders: () => readonly string[];
  /** Whether the user wants that anything is observed. */
  readonly isOn: () => boolean;
  readonly add: (observed: Observed) => Promise<void>;
  readonly clock: Clock;
}

/** A session as it is observed. */
export interface ObservedSession extends Pick<AgentSession, 'id' | 'onEvent'> {
  readonly auto: Pick<AgentSession['auto'], 'routingAt'>;
}

/** A turn of which nothing was observed yet. */
interface OpenTurn {
  readonly sessionId: string;
  readonly index: number;
  /** What the user wrote. */
  readonly words: string;
  /** What kind of task it is, where the model was chosen for that. */
  kind: () => TaskKind | undefined;
  readonly models: Set<string>;
  readonly files: Map<string, ChangedFile>;
  /** Absent while it runs. */
  ending?: Ending;
  rejected?: TurnFacts['rejected'];
}

/**
 * Observes what comes of the turns of chats whose models were chosen automatically: it listens to their events, and to what the user does with their changes.
 * A turn is one observation at most, as soon as it is known what came of it; see docs/routing.md.
 */
export class TurnOutcomes {
  private turns: readonly OpenTurn[] = [];
  /** The last turn of each open session, whether or not something was observed of it. */
  private readonly latest = new Map<string, OpenTurn>();
  /** The turn that changed a file last, by path. */
  private readonly owners = new Map<string, OpenTurn>();
  private readonly stop: () => void;
  private adding: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: TurnOutcomesDeps) {
    this.stop = deps.reviewed?.onDidReview((event) => this.reviewed(event)) ?? ((): void => undefined);
  }

  /** Observes a session until the function that is returned is called. Its changes are observed beyond that. @param parent where it left another one */
  follow(session: ObservedSession, parent: SessionParent | undefined): () => void {
    let model: string | undefined;
    const stop = session.onEvent((event) => {
      if (event.type === 'round_started') ({ model } = event);
      else if (event.type === 'turn_started') this.begun(session, event, parent);
      else if (event.type === 'answer' && model !== undefined) this.latest.get(session.id)?.models.add(model);
      else if (event.type === 'turn_ended') this.ended(session.id, event.turn);
    });
    return () => {
      stop();
      this.latest.delete(session.id);
      // What a closed session knows is not kept for it.
      for (const turn of this.turnsOf(session.id)) {
        const kind = turn.kind();
        turn.kind = () => kind;
      }
    };
  }

  /** Takes what is known of all turns: nothing more comes. Resolves when it is stored. */
  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.turns.flatMap((turn) => this.over(turn) ?? []));
    await this.adding;
  }

  private begun(session: ObservedSession, { message, index }: Extract<SessionEvent, { type: 'turn_started' }>, parent: SessionParent | undefined): void {
    const words = wordsOf(message);
    const before = this.turnsOf(session.id);
    // The user goes on: what checks say is what is known of the changes that they have not decided about.
    for (const turn of before) void this.over(turn);
    if (parent?.count === index && before.length === 0) this.askedAnew(parent, words);
    const kind = (): TaskKind | undefined => {
      const routing = session.auto.routingAt(index);
      return routing?.corrected ?? routing?.kind;
    };
    const turn: OpenTurn = { sessionId: session.id, index, words, kind, models: new Set<string>(), files: new Map() };
    this.latest.set(session.id, turn);
    this.turns = [...this.turns, turn];
    for (const old of this.turns.slice(0, -MOST_TURNS)) this.forget(old);
  }

  /** A branch begins with a message of another session: where it is the same one, the user wanted another answer. */
  private askedAnew({ id, count }: SessionParent, words: string): void {
    const turn = this.turnsOf(id).find(({ index }) => index === count);
    if (turn?.words !== words) return;
    turn.rejected = 'regenerated';
    this.settle(turn);
  }

  private ended(sessionId: string, turn: Turn): void {
    const open = this.latest.get(sessionId);
    // One whose message did not pass is none.
    if (open === undefined || turn.end === 'blocked') return;
    open.ending = endingOf(turn);
    this.settle(open);
  }

  private reviewed(event: ReviewEvent): void {
    if (event.type === 'changed') this.changed(event);
    else if (event.type === 'decided') this.decided(event);
    else this.restored(event);
  }

  private changed(event: Extract<ReviewEvent, { type: 'changed' }>): void {
    const latest = event.by.id === CHAT_AUTHOR.id ? this.latest.get(event.sessionId) : undefined;
    const turn = latest !== undefined && this.turns.includes(latest) ? latest : undefined;
    // What the user decides from now on is no longer about the changes of another turn alone: for that one, they stay undecided.
    this.owners.delete(event.path);
    if (event.from !== undefined) this.owners.delete(event.from.path);
    // Of a model that the user has chosen, nothing is observed.
    if (turn?.kind() === undefined) return;
    const file = turn.files.get(event.path) ?? new ChangedFile(event, this.deps.folders());
    file.changed(event);
    if (file.isGone) turn.files.delete(event.path);
    else turn.files.set(event.path, file);
    this.owners.set(event.path, turn);
  }

  private decided(event: Extract<ReviewEvent, { type: 'decided' }>): void {
    const turn = this.owners.get(event.path);
    turn?.files.get(event.path)?.decided(event);
    if (turn !== undefined) this.settle(turn);
  }

  private restored({ sessionId, messageIndex }: Extract<ReviewEvent, { type: 'restored' }>): void {
    for (const turn of this.turnsOf(sessionId)) {
      // What came after it was made on top of it: whose fault it was is not known.
      if (turn.index > messageIndex) this.forget(turn);
      if (turn.index !== messageIndex || turn.files.size === 0) continue;
      turn.rejected = 'restored';
      this.settle(turn);
    }
  }

  /** Takes what is known of a turn: nothing more is waited for, but for checks that have run. */
  private over(turn: OpenTurn): Promise<void> | undefined {
    const pending = this.deps.checksPending?.(turn.sessionId, turn.index);
    if (pending !== undefined) return pending.then(() => this.settle(turn, true));
    this.settle(turn, true);
    return undefined;
  }

  private settle(turn: OpenTurn, isOver = false): void {
    const { sessionId, index, ending, models, files, rejected } = turn;
    if (ending === undefined || !this.deps.isOn() || !this.turns.includes(turn)) return;
    const [model, another] = models;
    const outcome = outcomeOf({
      ...{ ending, isOver, files: [...files.values()].map((file) => file.facts) },
      ...present({ kind: turn.kind(), model: another === undefined ? model : undefined, rejected, checks: this.deps.checksOf?.(sessionId, index) }),
    });
    if (outcome.type === 'none') return;
    this.forget(turn);
    const { kind, share, because } = outcome;
    const added = this.deps.add({ model: outcome.model, kind, share, because, at: this.deps.clock.timestamp() });
    this.adding = this.adding.then(() => added);
  }

  private forget(turn: OpenTurn): void {
    this.turns = this.turns.filter((each) => each !== turn);
    for (const path of turn.files.keys()) if (this.owners.get(path) === turn) this.owners.delete(path);
  }

  private turnsOf(sessionId: string): readonly OpenTurn[] {
    return this.turns.filter((turn) => turn.sessionId === sessionId);
  }
}

/** How a turn ended, as far as that says something about its model. */
function endingOf({ end, error }: Pick<Turn, 'end' | 'error'>): Ending {
  switch (end) {
    case 'end_turn':
      return 'completed';
    case 'loop':
      return 'looped';
    case 'aborted':
      return 'stopped';
    case 'length':
    case 'cut':
    case 'round_limit':
    case 'cap':
      return 'limited';
    case 'error':
      return error instanceof ProviderError ? 'unanswered' : 'failed';
    default:
      return 'failed';
  }
}
