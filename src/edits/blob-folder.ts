import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileEntry, type FileLayer, fileErrorCode } from '../domain/workspace/file-layer.js';

/** Services that read and write stored contents. */
export interface BlobFiles {
  readonly files: FileLayer;
  /** Replaces a file as a whole, or leaves the old one. */
  readonly save: (path: string, bytes: Uint8Array) => Promise<void>;
}

const HASH = /^[0-9a-f]{64}$/;

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Contents of files in one folder, each in a file named by its hash. */
export class BlobFolder {
  constructor(
    readonly folder: string,
    private readonly disk: BlobFiles,
  ) {}

  /** Keeps a content. @returns how many bytes that took; 0 when it was there already. */
  async put(hash: string, bytes: Uint8Array): Promise<number> {
    const path = join(this.folder, hash);
    await this.disk.files.makeFolder(this.folder);
    const there = await this.disk.files.stat(path);
    if (there?.type === 'file' && there.size === bytes.length) {
      // The oldest are removed first; this one is in use again.
      await this.disk.files.touch(path);
      return 0;
    }
    await this.disk.save(path, bytes);
    return bytes.length;
  }

  /** A content; `undefined` when it is not there or damaged. */
  async get(hash: string): Promise<Uint8Array | undefined> {
    if (!HASH.test(hash)) return undefined;
    try {
      const bytes = await this.disk.files.readFile(join(this.folder, hash));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The stored contents; `name` is the hash. */
  async list(): Promise<readonly FileEntry[]> {
    return (await this.disk.files.list(this.folder)).filter(({ name, type }) => type === 'file' && HASH.test(name));
  }

  /** Removes all contents but the ones that are named. */
  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const { name } of await this.list()) if (!hashes.has(name)) await this.disk.files.remove(join(this.folder, name));
  }
}
