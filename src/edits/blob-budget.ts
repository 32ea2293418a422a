import { join } from 'node:path';
import type { FileLayer } from '../domain/workspace/file-layer.js';
import { BlobFolder } from './blob-folder.js';
import type { BlobFiles } from './blob-folder.js';

/** After pruning so much of the budget is in use, so that not every further file prunes again. */
const PRUNED_SHARE = 0.9;

interface StoredBlob {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Keeps what all sessions of a workspace store within a number of bytes: the contents used longest ago go first. */
export class BlobBudget {
  private used: number | undefined;
  private readonly root: string;
  private readonly disk: BlobFiles;
  private readonly limit: number;

  /** @param root the folder with one folder for each session. */
  constructor(root: string, disk: BlobFiles, limit: number) {
    this.root = root;
    this.disk = disk;
    this.limit = limit;
  }

  /** Takes note of stored bytes and makes room when there are too many by now. */
  async add(bytes: number): Promise<void> {
    this.used = this.used === undefined ? sizeOf(await this.blobs()) : this.used + bytes;
    if (this.used > this.limit) await this.prune();
  }

  private async prune(): Promise<void> {
    // Looked at anew: other windows store here too.
    const blobs = [...(await this.blobs())].sort((a, b) => a.mtimeMs - b.mtimeMs);
    let used = sizeOf(blobs);
    for (const { path, size } of blobs) {
      if (used <= this.limit * PRUNED_SHARE) break;
      await this.disk.files.remove(path);
      used -= size;
    }
    this.used = used;
  }

  private async blobs(): Promise<readonly StoredBlob[]> {
    const found: StoredBlob[] = [];
    for (const folder of await foldersIn(this.disk.files, this.root)) {
      for (const { name, size, mtimeMs } of await new BlobFolder(folder, this.disk).list()) {
        found.push({ path: join(folder, name), size, mtimeMs });
      }
    }
    return found;
  }
}

async function foldersIn(files: FileLayer, root: string): Promise<readonly string[]> {
  return (await files.list(root)).filter(({ type }) => type === 'directory').map(({ name }) => join(root, name));
}

function sizeOf(blobs: readonly StoredBlob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0);
}
