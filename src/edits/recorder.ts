import { type ChangedFiles, type ChangeRecorder, type CommandWatch, type CommandWatcher, type OpenRecord, type RecordedCall, sameContent, versionOf } from '../domain/workspace/changes.js';
import type { Log } from '../domain/log.js';
import type { Plan } from '../domain/tool/tool.js';
import type { Checkpoints, Seen } from './checkpoints.js';
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

/**
 * Records what calls change, for undo and for review. Trouble with that is logged and never in the way of the call: the
 * files that could not be kept are known as such.
 */
export function createChangeRecorder(deps: RecorderDeps): ChangeRecorder {
  return {
    begin: async (call) => {
      const record = new CallRecord(deps, call);
      await record.begin();
      return record;
    },
  };
}

class CallRecord implements OpenRecord {
  private readonly deps: RecorderDeps;
  private readonly call: RecordedCall;
  private before: readonly Seen[] = [];
  private watch: CommandWatch | undefined;

  constructor(deps: RecorderDeps, call: RecordedCall) {
    this.deps = deps;
    this.call = call;
  }

  begin(): Promise<void> {
    return this.guarded('The files that a call is about to change could not be kept', async () => {
      const { checkpoints, ledger, commands } = this.deps;
      this.before = await this.look(pathsOf(this.call.plan));
      await checkpoints.begin(this.call, this.before);
      await ledger.beforeChange(this.before);
      if (runsCommand(this.call.plan)) this.watch = await commands?.watch();
    });
  }

  async end(): Promise<void> {
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
    const changes = before.flatMap(({ path, sighting }, index) => {
      const now = after[index]?.sighting ?? sighting;
      return sameContent(versionOf(sighting), versionOf(now)) ? [] : [{ path, before: sighting, after: now }];
    });
    await this.deps.ledger.changed(this.call.sessionId, changes);
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

function pathsOf({ changes }: Plan): readonly string[] {
  return [...new Set(changes.map(({ path }) => path))];
}

function runsCommand({ accesses }: Plan): boolean {
  return accesses.some(({ kind }) => kind === 'execute');
}
