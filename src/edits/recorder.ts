import {
  type ChangedFiles,
  type ChangeRecorder,
  type CommandWatch,
  type CommandWatcher,
  type OpenRecord,
  type RecordedCall,
  sameContent,
  versionOf,
} from '../domain/workspace/changes.js';
import { KeyedQueue } from '../concurrency/queue.js';
import type { Log } from '../domain/log.js';
import type { Plan } from '../domain/tool/tool.js';
import { pathsOfChange } from '../domain/workspace/documents.js';
import type { Checkpoints } from './checkpoints.js';
import type { MadeChange, Seen } from './ledger-entry.js';
import type { Ledger } from './ledger.js';

/** Dependencies of a recorder. */
export interface RecorderDeps {
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;
  readonly files: ChangedFiles;
  /** Finds what commands change; without it that is not known. */
  readonly commands?: CommandWatcher;
  readonly log: Log;
}

/** A recorder that takes note of changes before their calls end. */
export interface EarlyRecorder extends ChangeRecorder {
  /** Notes what a call has done so far to a file that it is changing; of others nothing. What shows it need not wait until the file is saved. */
  changedNow(path: string): void;
}

/**
 * Records what calls change, for undo and for review. Trouble with that is logged and never in the way of the call: the
 * files that could not be kept are known as such.
 *
 * Calls that are to change the same file begin one after the other, each when the one before has ended: what is different behind
 * a call is then its own doing, and not that of another session.
 */
export function createChangeRecorder(deps: RecorderDeps): EarlyRecorder {
  const open = new Set<CallRecord>();
  const files = new KeyedQueue();
  return {
    begin: (call) =>
      new Promise((begun, failed) => {
        const recorded = files.runOn(pathsOf(call.plan), async () => {
          const record = new CallRecord(deps, call);
          await record.begin();
          open.add(record);
          await new Promise<void>((over) => {
            begun({ ...(record.kept ? {} : { lost: true as const }), end: () => (open.delete(record), record.end().finally(over)) });
          });
        });
        recorded.catch(failed);
      }),
    changedNow: (path) => {
      for (const record of open) record.changedNow(path);
    },
  };
}

class CallRecord implements OpenRecord {
  private readonly deps: RecorderDeps;
  private readonly call: RecordedCall;
  private before: readonly Seen[] = [];
  private watch: CommandWatch | undefined;
  /** Whether the content of all files could be kept. */
  kept = false;
  /** What is noted before the end, one after the other. */
  private early = Promise.resolve();

  constructor(deps: RecorderDeps, call: RecordedCall) {
    this.deps = deps;
    this.call = call;
  }

  begin(): Promise<void> {
    return this.guarded('The files that a call is about to change could not be kept', async () => {
      const { checkpoints, ledger, commands } = this.deps;
      this.before = await this.look(pathsOf(this.call.plan));
      await checkpoints.begin(this.call, this.before);
      this.kept = await this.keptAll();
      await ledger.beforeChange(this.before);
      if (runsCommand(this.call.plan)) this.watch = await commands?.watch();
    });
  }

  private async keptAll(): Promise<boolean> {
    const { sessionId, messageIndex } = this.call;
    const paths = new Set(this.before.map(({ path }) => path));
    const { entries } = await this.deps.checkpoints.index(sessionId);
    const kept = entries.filter(({ turn, path }) => turn === messageIndex && paths.has(path));
    return kept.length === paths.size && kept.every(({ before }) => before.kind !== 'skipped' || before.reason !== 'not_kept');
  }

  /** Notes what the call has done so far to a file, if that is one of its files. What is moved is noted when it has arrived. */
  changedNow(path: string): void {
    if (movesOf(this.call.plan).some((move) => [move.from, move.to].includes(path))) return;
    const before = this.before.filter((seen) => seen.path === path);
    if (before.length === 0) return;
    this.early = this.early.then(() =>
      this.guarded('What a call is changing could not be noted', async () => {
        await this.deps.ledger.changed(this.call.sessionId, changesOf(before, await this.look([path]), []));
      }),
    );
  }

  async end(): Promise<void> {
    // What was seen earlier must not be noted later.
    await this.early;
    await this.guarded('What a call changed could not be noted', () => this.note(this.before));
    const { watch } = this;
    if (watch === undefined) return;
    await this.guarded('What a command changed could not be found out', async () => {
      const changes = (await watch.changed()).map(({ path, before }) => ({ path, sighting: before }));
      await this.deps.checkpoints.begin(this.call, changes);
      await this.deps.ledger.beforeChange(changes);
      await this.note(changes);
    });
  }

  private async note(before: readonly Seen[]): Promise<void> {
    const after = await this.look(before.map(({ path }) => path));
    await this.deps.checkpoints.settle(this.call, after);
    await this.deps.ledger.changed(this.call.sessionId, changesOf(before, after, movesOf(this.call.plan)));
  }

  private look(paths: readonly string[]): Promise<readonly Seen[]> {
    return Promise.all(paths.map(async (path) => ({ path, sighting: await this.deps.files.look(path) })));
  }

  private async guarded(problem: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.log.error(problem, error);
    }
  }
}

/** What has changed of files since they were seen before. Both ends of a planned move are one change where it was made. */
function changesOf(before: readonly Seen[], after: readonly Seen[], moves: readonly PlannedMove[]): readonly MadeChange[] {
  const all = before.flatMap(({ path, sighting }, index): readonly MadeChange[] => {
    const now = after[index]?.sighting ?? sighting;
    return sameContent(versionOf(sighting), versionOf(now)) ? [] : [{ path, before: sighting, after: now }];
  });
  return moves.reduce(withMove, all);
}

function withMove(changes: readonly MadeChange[], { from, to }: PlannedMove): readonly MadeChange[] {
  const [gone, made] = [from, to].map((path) => changes.find((change) => change.path === path));
  if (gone?.before.kind !== 'file' || gone.after.kind !== 'absent' || made?.before.kind !== 'absent' || made.after.kind !== 'file') return changes;
  const moved: MadeChange = { ...made, from: { path: from, sighting: gone.before } };
  return changes.flatMap((change) => (change === gone ? [] : [change === made ? moved : change]));
}

/** Both ends of a move, as real paths. */
interface PlannedMove {
  readonly from: string;
  readonly to: string;
}

function movesOf({ changes }: Plan): readonly PlannedMove[] {
  return changes.flatMap((change) => (change.action === 'modify' && change.from !== undefined ? [{ from: change.from, to: change.path }] : []));
}

function pathsOf({ changes }: Plan): readonly string[] {
  return [...new Set(changes.flatMap(pathsOfChange))];
}

function runsCommand({ accesses }: Plan): boolean {
  return accesses.some(({ kind }) => kind === 'execute');
}
