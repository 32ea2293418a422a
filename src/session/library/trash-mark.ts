import type { FileLayer } from '../../domain/workspace/file-layer.js';
import type { Timestamp } from '../../domain/model/message.js';
import { isTimestamp } from '../codec/time.js';

/** Where the files of a deleted session belong. */
const STATES = ['trashed', 'restoring', 'emptying'] as const;

/** What stands beside the files of a session in the trash. */
export interface TrashMark {
  /** `restoring` and `emptying` are on their way out; a crash that cut them off leaves them to be finished. */
  readonly state: (typeof STATES)[number];
  readonly title: string;
  readonly trashedAt: Timestamp;
}

/** The bytes of a mark. */
export function encodeMark(mark: TrashMark): Uint8Array {
  return Buffer.from(JSON.stringify({ version: 1, ...mark }));
}

/** Reads a mark. One that is no mark counts as that of a session without title, deleted when the file was changed. */
export async function readMark(files: FileLayer, path: string, mtimeMs: number): Promise<TrashMark> {
  const unknown: TrashMark = { state: 'trashed', title: '', trashedAt: new Date(mtimeMs).toISOString() };
  const bytes = await files.readFile(path);
  try {
    return parseMark(JSON.parse(Buffer.from(bytes).toString('utf8')), unknown);
  } catch {
    // Marks are written as a whole; another program spoiled this one.
    return unknown;
  }
}

function parseMark(value: unknown, unknown: TrashMark): TrashMark {
  const { state, title, trashedAt } = Object(value) as Partial<Record<keyof TrashMark, unknown>>;
  return {
    state: STATES.find((known) => known === state) ?? unknown.state,
    title: typeof title === 'string' ? title : '',
    trashedAt: typeof trashedAt === 'string' && isTimestamp(trashedAt) ? trashedAt : unknown.trashedAt,
  };
}
