import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Notes } from '../../../../src/node/files/notes.js';
import { MemoryLog } from '../../engine/rig.js';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'gnomon-tabs-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('a note in the storage', () => {
  it('is known after the window was killed, to other windows too, until it is removed', async () => {
    const path = await folder();
    const memory = new Notes(join(path, 'tabs'), new MemoryLog());
    expect(await memory.read('one')).toBeUndefined();
    memory.write('one', '123');
    memory.write('two', '456');
    memory.write('one', '789');
    await memory.flush();
    const other = new Notes(join(path, 'tabs'), new MemoryLog());
    expect([await other.read('one'), await other.read('two')]).toEqual(['789', '456']);
    other.remove('one');
    await other.flush();
    expect(await memory.read('one')).toBeUndefined();
  });

  it('sess-17 a name that is none reaches no other file', async () => {
    const path = await folder();
    await writeFile(join(path, 'secret'), 'x');
    const memory = new Notes(join(path, 'tabs'), new MemoryLog());
    memory.write('../secret', '1');
    memory.remove('../secret');
    await memory.flush();
    expect(await memory.read('../secret')).toBeUndefined();
    expect(await readdir(path)).toEqual(['secret']);
  });

  it('is forgotten when it was not written again for long, and a failure is only logged', async () => {
    const path = await folder();
    const log = new MemoryLog();
    const memory = new Notes(join(path, 'tabs'), log);
    memory.write('old', '1');
    memory.write('new', '2');
    await memory.flush();
    await utimes(join(path, 'tabs', 'old'), 1, 1);
    expect(await memory.names(Date.now())).toEqual(['new']);
    await memory.flush();
    expect(await readdir(join(path, 'tabs'))).toEqual(['new']);
    const blocked = new Notes(join(path, 'tabs', 'new'), log);
    blocked.write('x', '1');
    await blocked.flush();
    expect(log.lines).toHaveLength(1);
  });
});
