import type { OpenRecord, RecordedCall, ChangeRecorder } from '../domain/workspace/changes.js';
import { KeyedQueue } from '../concurrency/queue.js';
import type { Plan } from '../domain/tool/tool.js';
import { pathsOfChange } from '../domain/workspace/documents.js';
import type { Seen } from './ledger-entry.js';
import { changesOf, movesOf } from './made-changes.js';
import { type RunningCommandsDeps, type Writer, RunningCommands } from './running-commands.js';
import { UserEdits } from './user-edits.js';

/** Services of the change recorder, with the user's own edits, which are not attributed to the agent. */
export interface RecorderDeps extends Omit<RunningCommandsDeps, 'edits'> {
  /** The user's own edits. Default: unknown. */
  readonly edits?: UserEdits;
}

/** A recorder that takes note of changes before their calls end. */
export interface EarlyRecorder extends ChangeRecorder {
  /** Notes what a call has done so far to a file that it is changing; of others nothing. What shows it need not wait until the file is saved. */
  changedNow(path: string): void;
}

/** State that all records of a window share. */
interface Recording extends RunningCommandsDeps {
  readonly running: RunningCommands;
  /** One call at a time changes a file: a second one, of another session, begins when it is known what the first one did. */
  readonly writing: KeyedQueue;
}

/**
 * Records what calls change, for undo and for review, each as a change of its own session. Trouble with that is logged and never in the way of
 * the call: the files that could not be kept are known as such.
 */
export function createChangeRecorder({ edits = new UserEdits(), ...rest }: RecorderDeps): EarlyRecorder {
  const deps = { ...rest, edits };
  const recording = { ...deps, running: new RunningCommands(deps), writing: new KeyedQueue() };
  const open = new Set<CallRecord>();
  return {
    begin: async (call) => {
      const record = new CallRecord(recording, call);
      await record.begin();
      open.add(record);
      return { ...(record.kept ? {} : { lost: true as const }), end: (how) => (open.delete(record), record.end(how)) };
    },
    changedNow: (path) => {
      for (const record of open) record.changedNow(path);
    },
  };
}

class CallRecord {
  /** Files that the tool writes itself; absent for none, or if they could not be read. */
  private writer: Writer | undefined;
  private command: { end(): Promise<void> } | undefined;
  /** Lets the next call change the files. */
  private release: () => void = () => undefined;
  /** Whether the content of all files could be kept. */
  kept = false;
  /** Queue of changes that are recorded before the end. */
  private early = Promise.resolve();

  constructor(
    private readonly deps: Recording,
    private readonly call: RecordedCall,
  ) {}

  async begin(): Promise<void> {
    await this.guarded('The files that a call is about to change could not be kept', async () => {
      const { checkpoints, ledger, running, writing } = this.deps;
      const paths = pathsOf(this.call.plan);
      if (paths.length > 0) {
        this.release = await held(writing, paths);
        this.writer = await running.write(this.call, paths);
        await checkpoints.begin(this.call, this.writer.before);
      }
      this.kept = await this.keptAll();
      await ledger.beforeChange(this.writer?.before ?? []);
    });
    // Also when nothing could be kept: others must know that it runs.
    if (runsCommand(this.call.plan)) this.command = await this.deps.running.begin(this.call);
  }

  private async keptAll(): Promise<boolean> {
    const { sessionId, messageIndex } = this.call;
    const paths = new Set(this.writer?.before.map(({ path }) => path));
    const { entries } = await this.deps.checkpoints.index(sessionId);
    const kept = entries.filter(({ turn, path }) => turn === messageIndex && paths.has(path));
    return kept.length === paths.size && kept.every(({ before }) => before.kind !== 'skipped' || before.reason !== 'not_kept');
  }

  /** Notes what the call has done so far to a file, if that is one of its files. What is moved is noted when it has arrived. */
  changedNow(path: string): void {
    if (movesOf(this.call.plan).some((move) => [move.from, move.to].includes(path))) return;
    const before = this.writer?.before.filter((seen) => seen.path === path) ?? [];
    if (before.length === 0) return;
    this.early = this.early.then(() =>
      this.guarded('What a call is changing could not be noted', async () => {
        await this.deps.ledger.changed(this.call.sessionId, changesOf(before, await this.look([path]), []), this.call.by);
      }),
    );
  }

  async end({ failed }: Parameters<OpenRecord['end']>[0]): Promise<void> {
    // What was seen earlier must not be noted later.
    await this.early;
    if (this.writer !== undefined) await this.deps.running.written(this.writer, failed);
    this.release();
    await this.command?.end();
  }

  private look(paths: readonly string[]): Promise<readonly Seen[]> {
    return Promise.all(paths.map(async (path) => ({ path, snapshot: await this.deps.files.look(path) })));
  }

  private async guarded(problem: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.log.error(problem, error);
    }
  }
}

/** Waits for exclusive access to the files. @returns what releases it */
function held(writing: KeyedQueue, paths: readonly string[]): Promise<() => void> {
  return new Promise((resolve) => {
    void writing.runOn(paths, () => new Promise<void>((release) => resolve(release)));
  });
}

function pathsOf({ changes }: Plan): readonly string[] {
  return [...new Set(changes.flatMap(pathsOfChange))];
}

function runsCommand({ accesses }: Plan): boolean {
  return accesses.some(({ kind }) => kind === 'execute');
}
