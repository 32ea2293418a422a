import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/edits/blob-folder.js';
import { restoreBefore } from '../../../src/edits/restore.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { FaultyFiles } from '../session/support/faulty-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Rig } from './rig.js';

const stored = (rig: Rig): string[] => readdirSync(join(rig.storage, 's')).filter((name) => name !== 'index.json');

describe('checkpoints', () => {
  it('C-8: each content is kept once, private, and what changed nothing leaves no entry', async () => {
    const rig = new Rig();
    rig.write('a', 'same');
    rig.write('b', 'same');
    await rig.agent(2, { a: '2', b: '3' });
    await rig.agent(2, { a: '4' });
    await rig.agent(4, { a: '4' });
    expect(stored(rig)).toHaveLength(2);
    for (const name of readdirSync(join(rig.storage, 's'))) expect(statSync(join(rig.storage, 's', name)).mode & 0o777).toBe(0o600);
    expect((await rig.checkpoints.index('s')).entries.map(({ turn }) => turn)).toEqual([2, 2]);
  });

  it('C-8: beyond the budget the contents used longest ago go first; a restore says so', async () => {
    const rig = new Rig({ budgetBytes: 1_000 });
    for (const turn of [0, 2, 4]) {
      rig.write(`f${turn}`, String(turn).repeat(400));
      await rig.agent(turn, { [`f${turn}`]: 'x' });
      await expect.poll(() => Date.now()).toBeGreaterThan(statSync(join(rig.storage, 's', 'index.json')).mtimeMs + 5);
    }
    expect(stored(rig)).toHaveLength(2);
    const report = await restoreBefore(rig.parts, 's', 0);
    expect(report.skipped).toEqual([{ path: rig.path('f0'), why: 'not_kept' }]);
    expect([rig.read('f0'), rig.read('f2'), rig.read('f4')]).toEqual(['x', '2'.repeat(400), '4'.repeat(400)]);
  });

  it('a damaged content is not put back', async () => {
    const rig = new Rig();
    rig.write('a', 'good');
    await rig.agent(2, { a: 'x' });
    writeFileSync(join(rig.storage, 's', stored(rig)[0] ?? ''), 'evil');
    expect((await restoreBefore(rig.parts, 's', 2)).skipped).toEqual([{ path: rig.path('a'), why: 'not_kept' }]);
    expect(rig.read('a')).toBe('x');
  });

  it.each([
    '{',
    '[]',
    '{"version":2,"entries":[]}',
    '{"version":1,"entries":[{"turn":-1,"path":"/a","before":{"kind":"absent"}}]}',
    '{"version":1,"entries":[{"turn":0,"path":"/a","before":{"kind":"file","hash":"../x","mode":1}}]}',
  ])('a damaged index is no index: %s', async (text) => {
    const rig = new Rig();
    await rig.agent(0, { a: '1' });
    writeFileSync(join(rig.storage, 's', 'index.json'), text);
    expect(await restoreBefore(rig.parts, 's', 0)).toMatchObject({ restored: [], deleted: [] });
    expect(rig.log.lines.join()).toMatch(/damaged/);
  });

  it('ENOSPC: a file that cannot be kept is known as such', async () => {
    const files = new FaultyFiles(createNodeFileLayer());
    const rig = new Rig({ layer: files });
    rig.write('a', '1');
    // The index is there already, so that the only thing that fails is the content.
    await rig.agent(0, { b: '1' });
    files.fault = { at: files.operations + 4, how: 'once', code: 'ENOSPC' };
    await rig.agent(2, { a: '2' });
    expect((await restoreBefore(rig.parts, 's', 2)).skipped).toEqual([{ path: rig.path('a'), why: 'not_kept' }]);
    expect(rig.read('a')).toBe('2');
  });

  it('goes with its session, and an id cannot lead elsewhere', async () => {
    const rig = new Rig();
    rig.write('a', '1');
    await rig.agent(2, { a: '2' });
    await rig.checkpoints.remove('s');
    expect(readdirSync(rig.storage)).toEqual([]);
    await rig.checkpoints.remove('s');
    await expect(rig.checkpoints.remove('../s')).rejects.toThrow(/not the id/);
    expect(rig.read('a')).toBe('2');
  });

  it('C-8: a branch takes over what was before its end, and restores by itself, the first session left as it is', async () => {
    const rig = new Rig();
    for (const name of ['a', 'b']) rig.write(name, '0');
    await rig.agent(0, { a: '1', made: 'new' });
    await rig.agent(2, { a: '2' });
    await rig.agent(4, { a: '3', b: '1' });
    const before = await rig.checkpoints.index('s');
    await rig.checkpoints.copy('s', 'branch', 4);
    expect((await rig.checkpoints.index('branch')).entries).toEqual(before.entries.filter(({ turn }) => turn < 4));
    expect(await rig.checkpoints.index('s')).toEqual(before);
    await rig.checkpoints.remove('s');
    rig.answer = 'overwrite';
    await restoreBefore(rig.parts, 'branch', 2);
    expect([rig.read('a'), rig.read('b'), rig.read('made')]).toEqual(['1', '1', 'new']);
    await restoreBefore(rig.parts, 'branch', 0);
    expect([rig.read('a'), rig.read('b'), rig.read('made')]).toEqual(['0', '1', undefined]);
  });

  it('C-8: a branch that begins before any change takes over nothing', async () => {
    const rig = new Rig();
    await rig.agent(2, { a: '1' });
    await rig.checkpoints.copy('s', 'branch', 2);
    await rig.checkpoints.copy('unknown', 'branch', 9);
    expect(readdirSync(rig.storage)).toEqual(['s']);
    await expect(rig.checkpoints.copy('s', '../x', 9)).rejects.toThrow(/not the id/);
  });

  it('C-8: what is gone, and what the budget has no room for, is known as such in a branch', async () => {
    const rig = new Rig({ budgetBytes: 1_000 });
    rig.write('a', '1'.repeat(400));
    rig.write('b', '2'.repeat(400));
    await rig.agent(0, { a: 'x', b: 'x' });
    rmSync(join(rig.storage, 's', hashOf(Buffer.from('1'.repeat(400)))));
    await rig.checkpoints.copy('s', 'branch', 4);
    const kept = (await rig.checkpoints.index('branch')).entries.map(({ before }) => (before.kind === 'skipped' ? before.reason : before.kind));
    expect(kept).toEqual(['not_kept', 'file']);
    rig.write('c', '3'.repeat(400));
    await rig.agent(2, { c: 'x' });
    const bytes = ['s', 'branch'].flatMap((id) =>
      readdirSync(join(rig.storage, id)).map((name) => statSync(join(rig.storage, id, name)).size * Number(name !== 'index.json')),
    );
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(1_000);
  });

  it('path-20: writes through no link that lies in its folder', async () => {
    const rig = new Rig();
    const outside = temporaryFolder();
    rig.write('a', '1');
    await rig.agent(0, { a: '2' });
    writeFileSync(join(outside, 'victim'), 'v');
    rmSync(join(rig.storage, 's', 'index.json'));
    symlinkSync(join(outside, 'victim'), join(rig.storage, 's', 'index.json'));
    await rig.agent(2, { a: '3' });
    expect(readFileSync(join(outside, 'victim'), 'utf8')).toBe('v');
  });
});
