import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AtomicWriter, atomicWrite, temporaryOwner } from '../../../src/session/atomic-write.js';
import { createProcessProbe } from '../../../src/session/lock/process-probe.js';
import { removeOrphans } from '../../../src/session/opening.js';
import { type Fault, FaultyFiles } from './support/faulty-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { nodeFiles, testLog, TestProcesses } from './support/setup.js';

const NEW = Buffer.from('new content '.repeat(100_000));

function writer(files = nodeFiles(), more: Partial<AtomicWriter> = {}): AtomicWriter {
  return { files, log: testLog(), pid: 7, ...more };
}

describe('an atomic write', () => {
  it('sess-01 sess-02 leaves the old content or the new one, whichever operation fails', async () => {
    const probe = new FaultyFiles(nodeFiles());
    await atomicWrite(writer(probe), join(temporaryFolder(), 'file'), [NEW]);
    const faults: Fault[] = Array.from({ length: probe.operations }, (_, index) => index + 1).flatMap((at) =>
      (['kill', 'kill-after', 'once', 'always'] as const).map((how) => ({ at, how, code: 'EIO' })),
    );
    for (const fault of faults) {
      const folder = temporaryFolder();
      const path = join(folder, 'file');
      await writeFile(path, 'old');
      await expect(atomicWrite(writer(new FaultyFiles(nodeFiles(), fault)), path, [NEW])).rejects.toThrow();
      const found = await readFile(path);
      expect(found.equals(NEW) || found.toString() === 'old', JSON.stringify(fault)).toBe(true);
      if (fault.how === 'once') expect(await readdir(folder)).toEqual(['file']);
    }
  });

  it('counts the bytes that a write really took', async () => {
    const files = nodeFiles();
    const slow = {
      ...files,
      openExclusive: async (path: string) => {
        const handle = await files.openExclusive(path);
        return { ...handle, write: (bytes: Uint8Array) => handle.write(bytes.subarray(0, 1_000)) };
      },
    };
    const path = join(temporaryFolder(), 'file');
    await atomicWrite(writer(slow), path, [Buffer.from('a'.repeat(2_500)), Buffer.from('b')]);
    expect(await readFile(path, 'utf8')).toBe(`${'a'.repeat(2_500)}b`);
    const stuck = { ...files, openExclusive: async (at: string) => ({ ...(await files.openExclusive(at)), write: () => Promise.resolve(0) }) };
    await expect(atomicWrite(writer(stuck), path, [NEW])).rejects.toThrow('no more bytes');
    expect(await readFile(path, 'utf8')).toContain('aaab');
  });

  it('path-20 refuses a link that was planted at the temporary name', async () => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    await writeFile(victim, 'precious');
    await symlink(victim, join(folder, 'file.7-known.tmp'));
    await symlink(join(folder, 'nowhere'), join(folder, 'file.7-dangling.tmp'));
    for (const name of ['known', 'dangling']) {
      await expect(atomicWrite(writer(nodeFiles(), { random: () => name }), join(folder, 'file'), [NEW])).rejects.toThrow('EEXIST');
    }
    expect(await readFile(victim, 'utf8')).toBe('precious');
    expect((await lstat(join(folder, 'file.7-known.tmp'))).isSymbolicLink()).toBe(true);
    const names = ['known', 'known', 'fresh'];
    await atomicWrite(writer(nodeFiles(), { random: () => names.shift() ?? '' }), join(folder, 'file'), [NEW]);
    expect((await readdir(folder)).sort()).toEqual(['file', 'file.7-dangling.tmp', 'file.7-known.tmp', 'victim']);
  });

  it('leaves turns to others while it writes much', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    function* parts(): Generator<Uint8Array> {
      for (let count = 0; count < 60; count += 1) {
        const end = performance.now() + 4;
        while (performance.now() < end);
        yield new Uint8Array(64 * 1024);
      }
    }
    await atomicWrite(writer(), join(temporaryFolder(), 'file'), parts());
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('temporary files that were left', () => {
  it('sess-01 are removed at start when their process is gone, others stay', async () => {
    const folder = temporaryFolder();
    const processes = new TestProcesses();
    const [gone, alive, own] = [processes.start(), processes.start(), processes.start()];
    gone.end();
    const names = [`a.json.${gone.pid}-ab.tmp`, `b.json.${alive.pid}-ab.tmp`, `c.json.${own.pid}-ab.tmp`, 'd.tmp', 'e.json'];
    for (const name of names) await writeFile(join(folder, name), '');
    await removeOrphans(writer(), own, folder);
    expect((await readdir(folder)).sort()).toEqual(names.slice(1));
    const other = `f.json.${process.ppid}-ab.tmp`;
    await writeFile(join(folder, other), '');
    await removeOrphans(writer(), createProcessProbe(), folder);
    expect(await readdir(folder)).toContain(other);
    expect(temporaryOwner('x.json.12-0af.tmp')).toBe(12);
    expect(temporaryOwner('x.12.tmp')).toBeUndefined();
  });
});
