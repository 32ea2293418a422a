import { randomInt } from 'node:crypto';
import type { Clock } from '../domain/clock.js';
import { InvalidDataError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';

/** Letters, digits, `-` and `_`, at most 100: safe as a file name everywhere. A dot ends the id in a file name. */
const SAFE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Names that Windows keeps for devices whatever their ending, and the name of our own index. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|index)$/i;

/** Whether an id can name the files of a session. */
export function isSafeId(id: string): boolean {
  return SAFE.test(id) && !RESERVED.test(id);
}

/** @throws InvalidDataError for an id that could lead out of the folder of the sessions or name no file. */
export function checkId(id: string): void {
  if (!isSafeId(id)) throw new InvalidDataError('id', t('{0} is not a valid chat ID', JSON.stringify(id.slice(0, 120))));
}

/** A new id as Pipe makes them: nanoseconds since 1970 in decimal. The clock gives the milliseconds, chance the rest. */
export function timeId(clock: Clock): string {
  const millis = Math.max(0, Date.parse(clock.timestamp()));
  return `${millis}${String(randomInt(1_000_000)).padStart(6, '0')}`;
}

/** What an id is compared by: where a disk does not tell large letters from small ones, neither may ids. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

/** The files of a session; each begins with its id and a dot. */
export interface SessionFiles {
  /** The v1 envelope. */
  readonly envelope: string;
  readonly journal: string;
  readonly meta: string;
  readonly lock: string;
}

/** The names of the files of a session, without folder. */
export function fileNames(id: string): SessionFiles {
  return { envelope: `${id}.json`, journal: `${id}.journal.jsonl`, meta: `${id}.meta.json`, lock: `${id}.lock` };
}
