import { dirname } from 'node:path';
import type { FileHandle, FileLayer } from '../../domain/workspace/file-layer.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { writeAll } from '../atomic-write.js';
import { type JournalLine, decodeLine } from './journal-lines.js';

const LINE_BREAK = 0x0a;

/** What a journal says. */
export interface ParsedJournal {
  readonly lines: readonly JournalLine[];
  /** Whole lines that could not be read. */
  readonly badLines: number;
  /** Bytes up to the end of the last whole line; what follows is a torn line. */
  readonly goodBytes: number;
}

/** Nothing at all. */
export const EMPTY_JOURNAL: ParsedJournal = { lines: [], badLines: 0, goodBytes: 0 };

/** Reads a journal, one line a step: a torn last line is dropped, a bad line elsewhere is skipped and counted. */
export function* journalSteps(bytes: Uint8Array): Generator<undefined, ParsedJournal> {
  const lines: JournalLine[] = [];
  let badLines = 0;
  let start = 0;
  for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, start)) {
    const line = end === start ? undefined : parseLine(bytes.subarray(start, end));
    if (line !== undefined) lines.push(line);
    else if (end > start) badLines += 1;
    start = end + 1;
    yield undefined;
  }
  return { lines, badLines, goodBytes: start };
}

function parseLine(bytes: Uint8Array): JournalLine | undefined {
  try {
    return decodeLine(bytes);
  } catch {
    // The caller counts it; the error in a torn or overwritten line is of no use.
    return undefined;
  }
}

/**
 * The end of a journal on disk. Lines are appended and flushed; after a failure the file is cut back to its last good
 * byte before the next line, so that a torn line is never in the middle and nothing half written is trusted.
 */
export class JournalWriter {
  private handle: FileHandle | undefined;
  private dirty: boolean;

  /** @param size bytes in the file that are good; more than that is cut off. */
  constructor(
    private readonly place: { readonly files: FileLayer; readonly log: Log; readonly path: string },
    private size: number,
  ) {
    this.dirty = true;
  }

  /** Bytes that are safe on the disk. */
  get bytes(): number {
    return this.size;
  }

  /** Adds lines. They are safe on the disk when it resolves; otherwise none of them counts. */
  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const handle = await this.open();
    this.dirty = true;
    await writeAll(handle, bytes);
    await handle.syncData();
    if (this.size === 0) await this.place.files.syncFolder(dirname(this.place.path));
    this.size += bytes.length;
    this.dirty = false;
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await this.close();
    await this.place.files.remove(this.place.path);
    this.size = 0;
    this.dirty = true;
  }

  /** Moves the file out of the way. */
  async moveTo(path: string): Promise<void> {
    await this.close();
    await this.place.files.rename(this.place.path, path);
    this.size = 0;
    this.dirty = true;
  }

  /** Has the file replaced by one with `size` good bytes. */
  async replace(write: () => Promise<void>, size: number): Promise<void> {
    await this.close();
    this.dirty = true;
    await write();
    this.size = size;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    const handle = this.handle;
    this.handle = undefined;
    try {
      await handle?.close();
    } catch (error) {
      this.place.log.warn(`A journal could not be closed: ${errorMessage(error)}`);
    }
  }

  /** After a failure a new handle is used: the state of the old one is unknown. */
  private async open(): Promise<FileHandle> {
    if (this.handle !== undefined && !this.dirty) return this.handle;
    await this.close();
    const handle = await this.place.files.openAppend(this.place.path);
    this.handle = handle;
    await handle.truncate(this.size);
    return handle;
  }
}
