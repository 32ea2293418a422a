import { readFileSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { t } from '../../domain/l10n.js';
import type { ListedMemory } from '../../domain/host/memory.js';
import type { Log } from '../../domain/log.js';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';
import type { WriteLock } from '../config/rewrite-file.js';

type Values = ReadonlyMap<string, unknown>;

/**
 * What is kept over restarts, in a file of JSON that only the user can read. Several processes may use it: each change is made, under the lock, to
 * the file as it is by then, so that nothing is lost that another process has kept under another key, and what others have kept is read.
 * A crash leaves the file as it was before the change or after it.
 * @param path absolute
 */
export function createJsonMemory(path: string, { lock, log }: { readonly lock: WriteLock; readonly log: Log }): ListedMemory {
  const writing = new Queue();
  /** What this process changes, until it is in the file, also where that fails; `undefined` forgets a key. */
  const changing = new Map<string, unknown>();
  let known: { readonly stamp: string; readonly values: Values } | undefined;
  const inFile = (): Values => {
    const stamp = stampOf(path);
    if (known?.stamp !== stamp) known = { stamp, values: read(path, log) };
    return known.values;
  };
  const values = (): Values => withChanges(inFile(), changing);
  return {
    keys: () => [...values().keys()],
    get: (key) => values().get(key),
    update: (key, value) => {
      changing.set(key, value);
      return writing.run(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const held = await lock.take(path);
        if (held === undefined) throw new Error(t('Another window is writing the file.'));
        try {
          const written = new Map(changing);
          await write(path, withChanges(inFile(), written));
          // What has been changed again meanwhile is written next.
          for (const [name, kept] of written) if (changing.get(name) === kept) changing.delete(name);
        } finally {
          await held.release();
        }
      });
    },
  };
}

function withChanges(values: Values, changes: Values): Values {
  if (changes.size === 0) return values;
  const changed = new Map(values);
  for (const [key, value] of changes)
    if (value === undefined) changed.delete(key);
    else changed.set(key, value);
  return changed;
}

/** Another one after each change of the file. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true });
    return [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
  } catch (error) {
    // Reading it says what is wrong with it.
    return String(fileErrorCode(error));
  }
}

/** A damaged file counts as an empty one: what it allowed is asked for again. */
function read(path: string, log: Log): Values {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') log.error(`${path} could not be read; what it kept is forgotten`, error);
    return new Map();
  }
}

async function write(path: string, values: Values): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  // One that was left over would be of a process with this number that is gone.
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(Object.fromEntries(values)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}
