import { type ChangedFiles, type Contents, type FileVersion, sameContent, type FileSnapshot, type SkipReason, versionOf } from '../domain/workspace/changes.js';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import { type Checkpoints, isTakenBack } from './checkpoints.js';
import type { CheckpointEntry, CheckpointIndex, Redo, RedoStep } from './checkpoint-index.js';

/** The user's answer about files that contain their later work. */
export type ConflictAnswer = 'keep' | 'overwrite' | 'cancel';

/** Why a file was left as it is: a reason, or an error message. */
export interface SkippedFile {
  readonly path: string;
  readonly why: SkipReason | { readonly problem: string };
}

/** Result of a restore. */
export interface RestoreReport {
  readonly cancelled: boolean;
  /** Files that have their earlier content again; also those that were deleted and are back. */
  readonly restored: readonly string[];
  /** Files that did not exist before and are gone. */
  readonly deleted: readonly string[];
  /** Files with later work of the user, which they kept. */
  readonly kept: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

/** Checkpoints to restore from, the files, and the question about conflicts. */
export interface RestoreDeps {
  readonly checkpoints: Checkpoints;
  readonly files: ChangedFiles;
  /** Asks once about all files that are not as they were left. */
  readonly ask: (paths: readonly string[]) => Promise<ConflictAnswer>;
}

/** A step with what was found. */
interface Found {
  readonly step: RestoreStep;
  readonly present: FileSnapshot;
  readonly state: 'ready' | 'already' | 'conflict' | { readonly skip: SkipReason };
}

/** A step that is done now. */
interface Task {
  readonly found: Found;
  /** The file before the restore, kept. */
  readonly was: FileVersion;
}

const CANCELLED: RestoreReport = { cancelled: true, restored: [], deleted: [], kept: [], skipped: [] };

/**
 * Puts files back to before a message. A file that is not as the agent left it is the user's: it is changed only with
 * their answer `overwrite`. What was there before stays kept, for {@link redoRestore}.
 */
export async function restoreBefore(deps: RestoreDeps, sessionId: string, messageIndex: number): Promise<RestoreReport> {
  const { entries } = await deps.checkpoints.index(sessionId);
  return carryOut(deps, {
    sessionId,
    steps: stepsBack(entries, messageIndex),
    // Before anything is touched: after a crash in the middle the restore can be repeated or taken back.
    begin: (index, tasks) =>
      beforeRestore(
        index,
        messageIndex,
        tasks.map(({ found, was }) => ({ path: found.step.path, was, restored: found.step.target })),
      ),
    finish: (index, outcome) => afterRestore(index, messageIndex, outcome),
  });
}

/** What restoring would do now, without doing it: files with later work of the user are among those that keep it. */
export async function previewRestore(deps: Omit<RestoreDeps, 'ask'>, sessionId: string, messageIndex: number): Promise<RestoreReport> {
  const { entries } = await deps.checkpoints.index(sessionId);
  const found = await Promise.all(stepsBack(entries, messageIndex).map((step) => findOut(deps, sessionId, step)));
  const ready = found.filter(({ state }) => state === 'ready').map(({ step }) => ({ path: step.path, deleted: step.target.kind === 'absent' }));
  const conflicts = found.filter(({ state }) => state === 'conflict').map(({ step }) => step.path);
  return reportOf(found, ready, conflicts);
}

/** Reverts the latest restore of a session that was not reverted yet. @returns `undefined` when there is none. */
export async function redoRestore(deps: RestoreDeps, sessionId: string): Promise<RestoreReport | undefined> {
  const redo = (await deps.checkpoints.index(sessionId)).redos.at(-1);
  if (redo === undefined) return undefined;
  return carryOut(deps, { sessionId, steps: stepsForward(redo), begin: (index) => index, finish: afterRedo });
}

interface Job {
  readonly sessionId: string;
  readonly steps: readonly RestoreStep[];
  readonly begin: (index: CheckpointIndex, tasks: readonly Task[]) => CheckpointIndex;
  readonly finish: (index: CheckpointIndex, outcome: Outcome) => CheckpointIndex;
}

async function carryOut(deps: RestoreDeps, { sessionId, steps, begin, finish }: Job): Promise<RestoreReport> {
  const { checkpoints } = deps;
  const found = await Promise.all(steps.map((step) => findOut(deps, sessionId, step)));
  const conflicts = found.filter(({ state }) => state === 'conflict').map(({ step }) => step.path);
  const answer = conflicts.length === 0 ? 'keep' : await deps.ask(conflicts);
  if (answer === 'cancel') return CANCELLED;
  const due = found.filter(({ state }) => state === 'ready' || (state === 'conflict' && answer === 'overwrite'));
  const tasks = await allOf(due.map((one) => async () => ({ found: one, was: await checkpoints.keep(sessionId, one.present) })));
  await checkpoints.update(sessionId, (index) => begin(index, tasks));
  const results = await allOf(tasks.map((task) => () => carryOutOne(deps, sessionId, task)));
  await checkpoints.update(sessionId, (index) => finish(index, outcomeOf(found, results)));
  return reportOf(found, results, answer === 'keep' ? conflicts : []);
}

function outcomeOf(found: readonly Found[], results: readonly Result[]): Outcome {
  const already = found.filter(({ state }) => state === 'already').map(({ step }) => step.path);
  const good = results.filter(({ problem }) => problem === undefined).map(({ path }) => path);
  const failed = results.filter(({ problem }) => problem !== undefined).map(({ path }) => path);
  const lost = found.filter(({ state }) => typeof state === 'object' && state.skip === 'not_kept').map(({ step }) => step.path);
  return { done: new Set([...already, ...good]), failed: new Set(failed), lost: new Set(lost) };
}

async function findOut({ checkpoints, files }: Omit<RestoreDeps, 'ask'>, sessionId: string, step: RestoreStep): Promise<Found> {
  const present = await files.look(step.path);
  return { step, present, state: await stateOf(checkpoints, sessionId, { step, present }) };
}

async function stateOf(checkpoints: Checkpoints, sessionId: string, { step, present }: Pick<Found, 'step' | 'present'>): Promise<Found['state']> {
  const { target, expected } = step;
  if (target.kind === 'skipped') return { skip: target.reason };
  if (present.kind === 'skipped') return { skip: present.reason };
  const now = versionOf(present);
  if (sameContent(now, target) && wantedMode(step, now) === modeOf(now)) return 'already';
  if (target.kind === 'file' && (await checkpoints.content(sessionId, target.hash)) === undefined) return { skip: 'not_kept' };
  return expected !== undefined && sameContent(now, expected) ? 'ready' : 'conflict';
}

/** The mode that a file gets: a change of mode by the user stays. */
function wantedMode({ target, expected }: RestoreStep, now: FileVersion): number | undefined {
  if (target.kind !== 'file') return modeOf(now);
  const changed = now.kind === 'file' && expected?.kind === 'file' && now.mode !== expected.mode;
  return changed ? now.mode : target.mode;
}

function modeOf(version: FileVersion): number | undefined {
  return version.kind === 'file' ? version.mode : undefined;
}

interface Result {
  readonly path: string;
  readonly deleted: boolean;
  readonly problem?: string;
}

async function carryOutOne({ checkpoints, files }: RestoreDeps, sessionId: string, { found, was }: Task): Promise<Result> {
  const { step, present } = found;
  const result = { path: step.path, deleted: step.target.kind === 'absent' };
  // What cannot be brought back is not taken away.
  if (was.kind === 'skipped') return { ...result, problem: t('The current content could not be backed up, so the file was not changed.') };
  try {
    const wanted = await contentsOf(checkpoints, sessionId, step, versionOf(present));
    await files.put(step.path, versionOf(present), wanted);
    return result;
  } catch (error) {
    return { ...result, problem: errorMessage(error) };
  }
}

async function contentsOf(checkpoints: Checkpoints, sessionId: string, step: RestoreStep, now: FileVersion): Promise<Contents | undefined> {
  if (step.target.kind !== 'file') return undefined;
  const bytes = await checkpoints.content(sessionId, step.target.hash);
  if (bytes === undefined) throw new Error(t('Its earlier content is no longer available.'));
  return { bytes, mode: wantedMode(step, now) ?? step.target.mode };
}

function reportOf(found: readonly Found[], results: readonly Result[], kept: readonly string[]): RestoreReport {
  const skipped = found.flatMap(({ step, state }) => (typeof state === 'object' ? [{ path: step.path, why: state.skip }] : []));
  const failed = results.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, why: { problem } }]));
  const good = results.filter(({ problem }) => problem === undefined);
  return {
    cancelled: false,
    restored: good.filter(({ deleted }) => !deleted).map(({ path }) => path),
    deleted: good.filter(({ deleted }) => deleted).map(({ path }) => path),
    kept,
    skipped: [...skipped, ...failed],
  };
}

/** Runs tasks one after the other. */
async function allOf<T>(tasks: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  for (const task of tasks) results.push(await task());
  return results;
}

/** Planned change of one file. */
interface RestoreStep {
  readonly path: string;
  readonly target: FileVersion;
  /** The file as it was left; `undefined` when that is not known, so that whatever is there may be the user's. */
  readonly expected: FileVersion | undefined;
}

/** The steps that take files back to before a message, one for each file that was changed since. */
function stepsBack(entries: readonly CheckpointEntry[], messageIndex: number): readonly RestoreStep[] {
  /** `left`: as the last turn left it, also where the user has changed it before that. */
  const steps = new Map<string, RestoreStep & { readonly left?: FileVersion }>();
  for (const { path, before, after, edited } of entries.filter(({ turn }) => turn >= messageIndex)) {
    const earlier = steps.get(path);
    // Between two turns of the agent the user may have changed the file: their work would go with it.
    const unbroken =
      earlier === undefined ||
      isTakenBack({ before: earlier.target, ...present({ after: earlier.left }) }, before) ||
      (earlier.expected !== undefined && sameContent(earlier.expected, before));
    steps.set(path, { path, target: earlier?.target ?? before, expected: edited === true || !unbroken ? undefined : after, ...present({ left: after }) });
  }
  return [...steps.values()];
}

/** The steps that take a restore back. */
function stepsForward({ steps }: Redo): readonly RestoreStep[] {
  return steps.map(({ path, was, restored }) => ({ path, target: was, expected: restored }));
}

/** Restores of one session that can be taken back, one after the other; with more, the oldest is forgotten. */
const MAX_LEVELS = 20;

/** Result of a restore or of its undo, by path. */
interface Outcome {
  /** Files that are as they should be now. */
  readonly done: ReadonlySet<string>;
  /** Files that could not be changed. */
  readonly failed: ReadonlySet<string>;
  /** Files whose content is not kept any more: nothing brings them back. */
  readonly lost: ReadonlySet<string>;
}

/** The index before a restore touches anything. One to the same message that went before, or broke off, is one with this one. */
function beforeRestore(index: CheckpointIndex, messageIndex: number, steps: readonly RedoStep[]): CheckpointIndex {
  if (steps.length === 0) return index;
  const { rest, own } = apart(index, messageIndex);
  const paths = new Set(steps.map(({ path }) => path));
  const all = [...(own?.steps ?? []).filter(({ path }) => !paths.has(path)), ...steps];
  return { entries: index.entries, redos: pushed(rest, { messageIndex, steps: all, entries: own?.entries ?? [] }) };
}

/** The index after a restore. */
function afterRestore(index: CheckpointIndex, messageIndex: number, { done, failed }: Outcome): CheckpointIndex {
  const { rest, own } = apart(index, messageIndex);
  const gone = index.entries.filter(({ turn, path }) => turn >= messageIndex && done.has(path));
  const entries = index.entries.filter((entry) => !gone.includes(entry));
  const steps = (own?.steps ?? []).filter(({ path }) => !failed.has(path));
  return { entries, redos: pushed(rest, { messageIndex, steps, entries: [...(own?.entries ?? []), ...gone] }) };
}

/** The index after a restore was taken back. What was not, as files that the user kept, can be tried again. */
function afterRedo({ entries, redos }: CheckpointIndex, { done, lost }: Outcome): CheckpointIndex {
  const redo = redos.at(-1);
  if (redo === undefined) return { entries, redos };
  const back = redo.entries.filter(({ path }) => done.has(path));
  const all = [...entries, ...back].sort((a, b) => a.turn - b.turn);
  const isOpen = ({ path }: { readonly path: string }): boolean => !done.has(path) && !lost.has(path);
  return { entries: all, redos: pushed(redos.slice(0, -1), { ...redo, steps: redo.steps.filter(isOpen), entries: redo.entries.filter(isOpen) }) };
}

/** The latest restore when it was to this message, and the others. */
function apart({ redos }: CheckpointIndex, messageIndex: number): { readonly rest: readonly Redo[]; readonly own: Redo | undefined } {
  const last = redos.at(-1);
  return last?.messageIndex === messageIndex ? { rest: redos.slice(0, -1), own: last } : { rest: redos, own: undefined };
}

function pushed(redos: readonly Redo[], redo: Redo): readonly Redo[] {
  return redo.steps.length === 0 ? redos : [...redos, redo].slice(-MAX_LEVELS);
}

/** The conversations with restores that can be taken back, the one that was restored last at the end. */
export class RedoList {
  private readonly sessions = new Set<string>();

  /** @param tell called after each change with whether there is anything. */
  constructor(private readonly tell: (any: boolean) => void) {}

  /** The conversation that was restored last. */
  get latest(): string | undefined {
    return [...this.sessions].at(-1);
  }

  /** Whether a conversation is known to have a restore that can be taken back. */
  has(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  /** A conversation was restored just now. */
  restored(sessionId: string): void {
    this.sessions.delete(sessionId);
    this.sessions.add(sessionId);
    this.tell(true);
  }

  /** A conversation was opened that has been restored before. */
  opened(sessionId: string): void {
    if (this.has(sessionId)) return;
    const later = [...this.sessions];
    this.sessions.clear();
    for (const id of [sessionId, ...later]) this.sessions.add(id);
    this.tell(true);
  }

  /** Nothing of a conversation can be taken back any more. */
  forget(sessionId: string): void {
    if (this.sessions.delete(sessionId)) this.tell(this.sessions.size > 0);
  }
}
