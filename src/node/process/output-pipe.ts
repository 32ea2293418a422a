import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A pipe whose writing end goes to a child. */
export interface OutputPipe {
  readonly reader: Socket;
  /** File descriptor of the writing end. */
  readonly writer: number;
  /** Closes the writing end in this process, once the child has its own. */
  closeWriter(): void;
}

/**
 * One pipe for both outputs of a command, so that their order is kept. Node itself can only make one for each, and
 * makes sockets, which a command cannot open again as `/dev/stderr`.
 * @returns `undefined` where no named pipe can be made: not known to the system, no such program, no space left.
 */
export async function openOutputPipe(): Promise<OutputPipe | undefined> {
  if (process.platform === 'win32') return undefined;
  const folder = await temporaryFolder();
  if (folder === undefined) return undefined;
  try {
    const path = join(folder, 'output');
    if (!(await makePipe(path))) return undefined;
    // The reading end first and without waiting: then the writing end need not wait for it.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, constants.O_WRONLY);
    return { reader: new Socket({ fd, readable: true, writable: false }), writer, closeWriter: () => closeSync(writer) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function temporaryFolder(): Promise<string | undefined> {
  try {
    return await mkdtemp(join(tmpdir(), 'gnomon-'));
  } catch {
    // A full or read-only disk: the command does with two pipes.
    return undefined;
  }
}

async function makePipe(path: string): Promise<boolean> {
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    return true;
  } catch {
    // No such program, or a disk that is full or knows no pipes: the command does with two.
    return false;
  }
}
