import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileLayer } from '../../../src/domain/workspace/file-layer.js';
import type { ChangedFiles } from '../../../src/domain/workspace/changes.js';
import { Checkpoints } from '../../../src/edits/checkpoints.js';
import type { BlobFiles } from '../../../src/edits/blob-folder.js';
import type { ConflictAnswer, RestoreDeps } from '../../../src/edits/restore.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { atomicWrite } from '../../../src/session/atomic-write.js';
import { createDiskFiles } from '../../../src/agent-host/changes/disk-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testLog } from '../session/support/setup.js';

/** Stored contents on the disk, through the file layer of the sessions. */
export function blobFiles(files: FileLayer = createNodeFileLayer()): BlobFiles & { readonly log: ReturnType<typeof testLog> } {
  const log = testLog();
  return { files, log, save: (path, bytes) => atomicWrite({ files, log, pid: process.pid }, path, [bytes]) };
}

/** A workspace in a temporary folder with checkpoints in another, and an agent and a person who change files. */
export class Rig {
  readonly root: string;
  readonly storage: string;
  readonly files: ChangedFiles = createDiskFiles();
  readonly log: ReturnType<typeof testLog>;
  checkpoints: Checkpoints;
  /** The files that were asked about, one list for each question. */
  readonly asked: (readonly string[])[] = [];
  answer: ConflictAnswer = 'keep';

  /** @param options `parent` is the folder for both */
  constructor(private readonly options: { readonly budgetBytes?: number; readonly layer?: FileLayer; readonly parent?: string } = {}) {
    this.root = temporaryFolder(options.parent);
    this.storage = temporaryFolder(options.parent);
    const blobs = blobFiles(options.layer);
    this.log = blobs.log;
    this.checkpoints = this.reopened();
  }

  /** The checkpoints as a new window finds them. */
  reopened(layer: FileLayer | undefined = this.options.layer): Checkpoints {
    const { budgetBytes } = this.options;
    this.checkpoints = new Checkpoints({
      ...blobFiles(layer),
      log: this.log,
      folder: this.storage,
      removeFolder: (path) => rmdir(path),
      ...(budgetBytes === undefined ? {} : { budgetBytes }),
    });
    return this.checkpoints;
  }

  get parts(): RestoreDeps {
    return {
      checkpoints: this.checkpoints,
      files: this.files,
      ask: (paths) => {
        this.asked.push(paths.map((path) => path.slice(this.root.length + 1)));
        return Promise.resolve(this.answer);
      },
    };
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Writes a file as a person does; `undefined` deletes it. */
  write(name: string, text: string | undefined, mode?: number): void {
    const path = this.path(name);
    if (text === undefined) return rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (mode !== undefined) chmodSync(path, mode);
  }

  /** What a file holds; `undefined` when there is none. */
  read(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  mode(name: string): number {
    return statSync(this.path(name)).mode & 0o777;
  }

  /** Changes files as a call of the agent does. */
  async agent(turn: number, changes: Readonly<Record<string, string | undefined>>, act?: () => void): Promise<void> {
    const key = { sessionId: 's', messageIndex: turn };
    const look = (): Promise<{ path: string; snapshot: Awaited<ReturnType<ChangedFiles['look']>> }[]> =>
      Promise.all(Object.keys(changes).map(async (name) => ({ path: this.path(name), snapshot: await this.files.look(this.path(name)) })));
    await this.checkpoints.begin(key, await look());
    for (const [name, text] of Object.entries(changes)) this.write(name, text);
    act?.();
    await this.checkpoints.settle(key, await look());
  }
}
