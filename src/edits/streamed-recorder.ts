import type { ChangedFiles } from '../domain/workspace/changes.js';
import type { Log } from '../domain/log.js';
import { hashOf } from './blob-folder.js';
import type { Checkpoints, TurnKey } from './checkpoints.js';
import type { Ledger } from './ledger.js';

/** The checkpoints for undo and the ledger for review that streamed changes are recorded in. */
export interface StreamedRecorderDeps {
  readonly checkpoints: Pick<Checkpoints, 'begin' | 'settle'>;
  readonly ledger: Pick<Ledger, 'hold' | 'changedBeside' | 'refresh'>;
  readonly files: Pick<ChangedFiles, 'look'>;
  readonly log: Log;
}

/** A change of one file that comes bit by bit. */
export interface StreamedRecord {
  /**
   * Notes that the change is complete, or was taken back. Never rejects.
   * @param without what the file would contain now without the change; absent when nothing of the change is left.
   */
  end(without?: Uint8Array): Promise<void>;
}

/** Keeps files that change bit by bit while the user may type in them, so that the change can be reviewed and undone. */
export interface StreamedRecorder {
  /** Notes the file as it is before the first bit. Never rejects. */
  begin(turn: TurnKey, path: string): Promise<StreamedRecord>;
}

/** Makes one. Trouble is logged and never in the way of the change. */
export function createStreamedRecorder({ checkpoints, ledger, files, log }: StreamedRecorderDeps): StreamedRecorder {
  const guarded = async (problem: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error(problem, error);
    }
  };
  return {
    begin: async (turn, path) => {
      const release = ledger.hold(path);
      await guarded('A file that is about to be changed could not be kept', async () => checkpoints.begin(turn, [{ path, snapshot: await files.look(path) }]));
      return {
        end: (without) =>
          guarded('What was changed could not be noted', async () => {
            const after = await files.look(path);
            await checkpoints.settle(turn, [{ path, snapshot: after }]);
            release();
            if (without === undefined || after.kind !== 'file') return ledger.refresh(path);
            await ledger.changedBeside(turn.sessionId, { path, after, before: { ...after, bytes: without, hash: hashOf(without) } });
          }).finally(release),
      };
    },
  };
}
