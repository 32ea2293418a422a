import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWriteLock } from '../../../../src/customization/write-lock.js';
import type { ListedMemory } from '../../../../src/domain/host/memory.js';
import { createJsonMemory } from '../../../../src/node/host/json-memory.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { MemoryLog } from '../../engine/rig.js';

/** A memory of one program on a data folder. */
function memoryIn(folder: string): ListedMemory {
  const log = new MemoryLog();
  return createJsonMemory(join(folder, 'user', 'memory.json'), { lock: createWriteLock(join(folder, 'locks'), log), log });
}

it('keeps what two programs change at once, each sees what the other has kept, and nobody else can read it', async () => {
  const folder = temporaryFolder();
  const [one, other] = [memoryIn(folder), memoryIn(folder)];
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  await Promise.all(numbers.flatMap((each) => [one.update(`one ${each}`, each), other.update(`other ${each}`, [each])]));
  const all = numbers.flatMap((each) => [`one ${each}`, `other ${each}`]).sort();
  for (const memory of [one, other, memoryIn(folder)]) expect([...memory.keys()].sort()).toEqual(all);
  await one.update('other 3', undefined);
  expect([other.get('other 3'), other.get('other 4')]).toEqual([undefined, [4]]);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'user', 'memory.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'user'))).toEqual(['memory.json']);
});

it('has a change at once, also where it cannot be written, and writes it with the next one', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'user'), 'no folder');
  const memory = memoryIn(folder);
  const kept = expect(memory.update('a', 1)).rejects.toThrow();
  expect(memory.get('a')).toBe(1);
  await kept;
  rmSync(join(folder, 'user'));
  await memory.update('b', 2);
  expect([...memoryIn(folder).keys()].sort()).toEqual(['a', 'b']);
});
