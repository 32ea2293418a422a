import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import type { ListedMemory } from '../../domain/host/memory.js';
import type { Log } from '../../domain/log.js';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';

/**
 * What is kept over restarts, in a file of JSON that only the user can read. One process at a time is expected to write it; of two, the
 * later wins.
 * @param path absolute
 */
export function createJsonMemory(path: string, log: Log): ListedMemory {
  const values = read(path, log);
  const writing = new Queue();
  return {
    keys: () => [...values.keys()],
    get: (key) => values.get(key),
    update: (key, value) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      return writing.run(async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const written = `${path}.${process.pid}.tmp`;
        await writeFile(written, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 });
        await rename(written, path);
      });
    },
  };
}

/** A damaged file counts as an empty one: what it allowed is asked for again. */
function read(path: string, log: Log): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
  } catch (error) {
    if (fileErrorCode(error) !== 'ENOENT') log.error(`${path} could not be read; what it kept is forgotten`, error);
    return new Map();
  }
}
