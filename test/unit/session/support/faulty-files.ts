import type { FileHandle, FileLayer } from '../../../../src/domain/workspace/file-layer.js';

/** What a {@link FaultyFiles} does at an operation. */
export interface Fault {
  /** Number of the operation, from 1. */
  readonly at: number;
  /**
   * `kill`: the operation does not happen (a write happens by half), nor does any after it. `kill-after`: it happens, but
   * nobody learns of it, and none after it does. `once`: it fails. `always`: it and all after it fail.
   */
  readonly how: 'kill' | 'kill-after' | 'once' | 'always';
  readonly code: string;
}

/** The process ended here: what a test sees in the place of a call that never came back. */
export class Killed extends Error {}

/** An error as Node's file functions throw it. */
export function fileError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** Operations that change nothing; a full or broken disk does not stop them. */
const READS: ReadonlySet<string> = new Set(['readFile', 'stat', 'list', 'close']);

/** A file layer that counts its operations and lets one of them, and perhaps all later ones, fail. */
export class FaultyFiles implements FileLayer {
  operations = 0;
  readonly log: string[] = [];
  fault: Fault | undefined;

  constructor(
    private readonly inner: FileLayer,
    fault?: Fault,
  ) {
    this.fault = fault;
  }

  openExclusive = (path: string): Promise<FileHandle> => this.run('openExclusive', path, async () => this.wrap(path, await this.inner.openExclusive(path)));
  openAppend = (path: string): Promise<FileHandle> => this.run('openAppend', path, async () => this.wrap(path, await this.inner.openAppend(path)));
  readFile = (path: string): Promise<Uint8Array> => this.run('readFile', path, () => this.inner.readFile(path));
  rename = (from: string, to: string): Promise<void> => this.run('rename', `${from} ${to}`, () => this.inner.rename(from, to));
  remove = (path: string): Promise<void> => this.run('remove', path, () => this.inner.remove(path));
  stat = (path: string): ReturnType<FileLayer['stat']> => this.run('stat', path, () => this.inner.stat(path));
  list = (folder: string): ReturnType<FileLayer['list']> => this.run('list', folder, () => this.inner.list(folder));
  makeFolder = (path: string): Promise<void> => this.run('makeFolder', path, () => this.inner.makeFolder(path));
  touch = (path: string): Promise<void> => this.run('touch', path, () => this.inner.touch(path));
  syncFolder = (path: string): Promise<void> => this.run('syncFolder', path, () => this.inner.syncFolder(path));

  private wrap(path: string, handle: FileHandle): FileHandle {
    return {
      write: (bytes) =>
        this.run(
          'write',
          path,
          () => handle.write(bytes),
          () => handle.write(bytes.subarray(0, Math.floor(bytes.length / 2))),
        ),
      truncate: (size) => this.run('truncate', path, () => handle.truncate(size)),
      sync: () => this.run('sync', path, () => handle.sync()),
      syncData: () => this.run('syncData', path, () => handle.syncData()),
      // The system closes the files of a process that ended.
      close: () => handle.close(),
    };
  }

  private async run<T>(name: string, path: string, work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    this.operations += 1;
    this.log.push(`${name} ${path}`);
    const { fault } = this;
    if (fault === undefined || this.operations < fault.at) return work();
    const hit = this.operations === fault.at;
    switch (fault.how) {
      case 'kill':
        if (hit) await half?.();
        throw new Killed();
      case 'kill-after':
        if (hit) await work();
        throw new Killed();
      case 'once':
        if (!hit) return work();
        await half?.();
        throw fileError(fault.code);
      case 'always':
        if (READS.has(name)) return work();
        await half?.();
        throw fileError(fault.code);
    }
  }
}
