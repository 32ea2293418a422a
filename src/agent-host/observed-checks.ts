import { isAbsolute, relative, sep } from 'node:path';
import type { ProjectChecks } from '../checks/project-checks.js';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import type { ReviewedChanges } from '../domain/workspace/changes.js';
import { pathsOfChange } from '../domain/workspace/documents.js';
import type { SessionEvent, ToolCallState } from '../engine/events.js';
import { isWithin } from '../node/files/within.js';
import type { TurnFacts } from '../routing/outcome.js';
import type { ObservedSession } from './turn-outcomes.js';

/** Turns whose checks are remembered. */
const MOST_TURNS = 200;

/** What recognizes checks, and where they are. */
export interface ObservedChecksDeps {
  /** Absent: nobody knows of changes beside those of calls. */
  readonly reviewed?: ReviewedChanges;
  /** Loaded when a model has run the first command in a turn that is observed. */
  readonly checks: () => Promise<Pick<ProjectChecks, 'observe'>>;
  /** Absolute paths of the folders that are worked in. */
  readonly folders: () => readonly string[];
  /** Whether the user wants that anything is observed. */
  readonly isOn: () => boolean;
  readonly log: Log;
}

/** The checks that a model ran in a turn. */
interface TurnChecks {
  /** Of its message. */
  readonly index: number;
  /** Absolute paths of what was changed in the chat, as long as it is open: what checks run may have been changed in an earlier turn. */
  readonly paths: Set<string>;
  /** How often something was. */
  edits: number;
  /** Resolves when the commands that have ended were looked at; absent where all were. Does not reject. */
  pending: Promise<unknown> | undefined;
  /** Whether each check has passed since the last change, by its folder and id, and whether it runs tests. */
  since: ReadonlyMap<string, { readonly passed: boolean; readonly isOfTests: boolean }>;
}

type Done = Extract<ToolCallState, { readonly status: 'done' | 'failed' }>;

/**
 * What checks said that models ran as commands, after the last change in a turn. Nothing is run for it. A check that fails says something only if it is known
 * to have passed before: else it may be red without the model’s doing.
 */
export class ObservedChecks {
  private readonly turns = new Map<string, TurnChecks>();
  /** The turn that each session is in. */
  private readonly current = new Map<string, TurnChecks>();
  /** Checks that have passed in this window, by folder and id. */
  private readonly green = new Set<string>();

  constructor(private readonly deps: ObservedChecksDeps) {
    deps.reviewed?.onDidReview((event) => {
      if (event.type === 'changed') this.changed(event.sessionId, event.path);
    });
  }

  /** Observes a session until the function that is returned is called. */
  follow(session: ObservedSession): () => void {
    const stop = session.onEvent((event) => this.heard(session, event));
    return () => {
      stop();
      this.current.delete(session.id);
    };
  }

  /** What the last checks after the last edit of a turn said; `undefined` for nothing that counts. */
  readonly of = (sessionId: string, messageIndex: number): TurnFacts['checks'] => {
    const seen = [...(this.turns.get(keyOf(sessionId, messageIndex))?.since.values() ?? [])];
    if (seen.some(({ passed }) => !passed)) return 'failed';
    // That code compiles says little about whether it does what it should.
    return seen.some(({ isOfTests }) => isOfTests) ? 'passed' : undefined;
  };

  /** Resolves when what the checks of a turn said is known; `undefined` where it is. */
  readonly pending = (sessionId: string, messageIndex: number): Promise<unknown> | undefined => this.turns.get(keyOf(sessionId, messageIndex))?.pending;

  private heard(session: ObservedSession, event: SessionEvent): void {
    if (event.type === 'turn_started') this.begun(session.id, event.index);
    if (event.type !== 'tool_call' || (event.state.status !== 'done' && event.state.status !== 'failed') || !this.deps.isOn()) return;
    for (const path of event.state.plan?.changes.flatMap((change) => pathsOfChange(change)) ?? []) this.changed(session.id, path);
    const turn = this.current.get(session.id);
    // Of a model that the user has chosen, nothing is observed but what it has changed.
    if (turn === undefined || session.auto.routingAt(turn.index) === undefined) return;
    const looked = this.ended(turn, event.state).catch((error: unknown) =>
      this.deps.log.warn(`What a check said was not taken note of: ${errorMessage(error)}`),
    );
    const pending = Promise.all([turn.pending, looked]).then(() => {
      if (turn.pending === pending) turn.pending = undefined;
    });
    turn.pending = pending;
  }

  private begun(sessionId: string, index: number): void {
    const turn: TurnChecks = { index, paths: this.current.get(sessionId)?.paths ?? new Set(), edits: 0, pending: undefined, since: new Map() };
    this.current.set(sessionId, turn);
    this.turns.set(keyOf(sessionId, index), turn);
    const [oldest] = this.turns.keys();
    if (this.turns.size > MOST_TURNS && oldest !== undefined) this.turns.delete(oldest);
  }

  private changed(sessionId: string, path: string): void {
    const turn = this.current.get(sessionId);
    if (turn === undefined) return;
    turn.paths.add(path);
    turn.edits += 1;
    turn.since = new Map();
  }

  private async ended(turn: TurnChecks, { plan, result }: Done): Promise<void> {
    const { preview } = plan ?? {};
    const { text: output, exitCode } = result.printed ?? {};
    const { outcome } = result;
    if (preview?.kind !== 'command' || output === undefined || exitCode === undefined) return;
    const folder = this.deps.folders().find((each) => isWithin(each, preview.cwd));
    if (folder === undefined) return;
    const durationMs = outcome !== undefined && 'durationMs' in outcome ? (outcome.durationMs ?? 0) : 0;
    const { edits } = turn;
    const checks = await this.deps.checks();
    const run = { exitCode, output, durationMs, confined: false, changedPaths: [...turn.paths], afterEdit: edits };
    const found = await checks.observe({ ...run, folder, line: preview.command, cwd: within(folder, preview.cwd) });
    if (found === undefined || found.outcome.state === 'not_checkable') return;
    const passed = found.outcome.state === 'passed';
    // That no test has failed says nothing where there was none.
    if (passed && found.outcome.counts?.passed === 0) return;
    const id = JSON.stringify([folder, found.check.id]);
    if (passed) this.green.add(id);
    if (turn.edits !== edits || (!passed && !this.green.has(id))) return;
    turn.since = new Map([...turn.since, [id, { passed, isOfTests: found.check.kind === 'tests' }]]);
  }
}

function keyOf(sessionId: string, messageIndex: number): string {
  return `${sessionId} ${messageIndex}`;
}

/** A path relative to a folder around it, with slashes. */
function within(folder: string, path: string): string {
  const found = relative(folder, path);
  return isAbsolute(found) ? '' : found.split(sep).join('/');
}
