import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/edits/blob-folder.js';
import { RedoList, redoRestore, restoreBefore } from '../../../src/edits/restore.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { FaultyFiles, Killed } from '../session/support/faulty-files.js';
import { QUICK, temporaryFolder } from '../../support/temporary-folder.js';
import { Rig } from './rig.js';
import { runs } from '../../support/runs.js';

const names = (paths: readonly string[], rig: Rig): string[] => paths.map((path) => path.slice(rig.root.length + 1)).sort();

describe('restore', () => {
  it('C-8: puts changed, created and deleted files back to before a message, and only those since', async () => {
    const rig = new Rig();
    rig.write('a.txt', 'a0\r\n');
    rig.write('gone.txt', 'here\n');
    rig.write('other.txt', 'mine\n');
    await rig.agent(0, { 'a.txt': 'a1\r\n' });
    await rig.agent(4, { 'a.txt': 'a2', 'new/b.txt': 'b', 'gone.txt': undefined });
    await rig.agent(4, { 'a.txt': 'a3' });
    const report = await restoreBefore(rig.parts, 's', 4);
    expect([rig.read('a.txt'), rig.read('new/b.txt'), rig.read('gone.txt')]).toEqual(['a1\r\n', undefined, 'here\n']);
    expect(names(report.restored, rig)).toEqual(['a.txt', 'gone.txt']);
    expect(names(report.deleted, rig)).toEqual(['new/b.txt']);
    expect(report).toMatchObject({ cancelled: false, kept: [], skipped: [] });
    await restoreBefore(rig.parts, 's', 0);
    expect([rig.read('a.txt'), rig.read('other.txt')]).toEqual(['a0\r\n', 'mine\n']);
    expect(rig.asked).toEqual([]);
  });

  it('C-8: redo brings back what a restore took away, after a restart too', async () => {
    const rig = new Rig();
    rig.write('a', '1');
    rig.write('d', 'deleted');
    await rig.agent(2, { a: '2', b: 'new', d: undefined });
    await restoreBefore(rig.parts, 's', 2);
    rig.reopened();
    const report = await redoRestore(rig.parts, 's');
    expect([rig.read('a'), rig.read('b'), rig.read('d')]).toEqual(['2', 'new', undefined]);
    expect(report).toMatchObject({ kept: [], skipped: [] });
    expect(await redoRestore(rig.parts, 's')).toBeUndefined();
    await restoreBefore(rig.parts, 's', 2);
    expect([rig.read('a'), rig.read('b'), rig.read('d')]).toEqual(['1', undefined, 'deleted']);
    expect(rig.asked).toEqual([]);
  });

  it('C-8: several restores are taken back one after the other, the latest first, after a restart too', async () => {
    const rig = new Rig();
    rig.write('a', '0');
    for (const turn of [0, 2, 4]) await rig.agent(turn, { a: String(turn + 1), [`made${turn}`]: 'x' });
    const state = (): (string | undefined)[] => ['a', 'made0', 'made2', 'made4'].map((name) => rig.read(name));
    await restoreBefore(rig.parts, 's', 4);
    await restoreBefore(rig.parts, 's', 2);
    await restoreBefore(rig.parts, 's', 0);
    expect(state()).toEqual(['0', undefined, undefined, undefined]);
    rig.reopened();
    await redoRestore(rig.parts, 's');
    expect(state()).toEqual(['1', 'x', undefined, undefined]);
    await redoRestore(rig.parts, 's');
    expect(state()).toEqual(['3', 'x', 'x', undefined]);
    await restoreBefore(rig.parts, 's', 2);
    await redoRestore(rig.parts, 's');
    await redoRestore(rig.parts, 's');
    expect(state()).toEqual(['5', 'x', 'x', 'x']);
    expect(await redoRestore(rig.parts, 's')).toBeUndefined();
    expect(rig.asked).toEqual([]);
  });

  it('C-8: with more than twenty restores the oldest cannot be taken back any more', async () => {
    const rig = new Rig();
    rig.write('a', 'start');
    for (let turn = 0; turn < 25; turn += 1) await rig.agent(turn, { a: `a${turn}` });
    for (let turn = 24; turn >= 0; turn -= 1) await restoreBefore(rig.parts, 's', turn);
    expect(rig.read('a')).toBe('start');
    let levels = 0;
    while ((await redoRestore(rig.parts, 's')) !== undefined) levels += 1;
    expect([levels, rig.read('a')]).toEqual([20, 'a19']);
  });

  it('C-8: a change of the agent after a restore ends what could be taken back', async () => {
    const rig = new Rig();
    rig.write('a', '0');
    await rig.agent(0, { a: '1' });
    await restoreBefore(rig.parts, 's', 0);
    await rig.agent(2, { a: '2' });
    expect(await redoRestore(rig.parts, 's')).toBeUndefined();
    expect(rig.read('a')).toBe('2');
  });

  it('C-8: what is not kept any more does not stand in the way of earlier restores', async () => {
    const rig = new Rig();
    rig.write('a', '0');
    await rig.agent(0, { a: '1' });
    await rig.agent(2, { b: 'lost' });
    await restoreBefore(rig.parts, 's', 2);
    await restoreBefore(rig.parts, 's', 0);
    await redoRestore(rig.parts, 's');
    rmSync(join(rig.storage, 's', hashOf(Buffer.from('lost'))));
    expect((await redoRestore(rig.parts, 's'))?.skipped).toEqual([{ path: rig.path('b'), why: 'not_kept' }]);
    expect([rig.read('a'), await redoRestore(rig.parts, 's')]).toEqual(['1', undefined]);
  });

  it('C-8: a restore that was stored when there could be only one is taken back', async () => {
    const rig = new Rig();
    rig.write('a', '0');
    await rig.agent(0, { a: '1' });
    await restoreBefore(rig.parts, 's', 0);
    const file = join(rig.storage, 's', 'index.json');
    const { redos, ...index } = JSON.parse(readFileSync(file, 'utf8')) as { redos: unknown[] };
    writeFileSync(file, JSON.stringify({ ...index, redo: redos[0] }));
    await redoRestore(rig.parts, 's');
    expect(rig.read('a')).toBe('1');
  });

  it('sess-21, tool-17: later edits of the person are asked about once, and stay with “keep”', async () => {
    const rig = new Rig();
    for (const name of ['a', 'b', 'c']) rig.write(name, '1');
    await rig.agent(2, { a: '2', b: '2', c: '2', made: 'x' });
    rig.write('a', 'mine');
    rig.write('made', 'mine too');
    rig.write('b', undefined);
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(rig.asked.map((list) => [...list].sort())).toEqual([['a', 'b', 'made']]);
    expect([rig.read('a'), rig.read('b'), rig.read('c'), rig.read('made')]).toEqual(['mine', undefined, '1', 'mine too']);
    expect(names(report.kept, rig)).toEqual(['a', 'b', 'made']);
  });

  it('sess-21: with “overwrite” later edits go, and come back with redo; with “cancel” nothing happens', async () => {
    const rig = new Rig();
    rig.write('a', '1');
    await rig.agent(2, { a: '2', b: '2' });
    rig.write('a', 'mine');
    rig.answer = 'cancel';
    expect(await restoreBefore(rig.parts, 's', 2)).toMatchObject({ cancelled: true });
    expect([rig.read('a'), rig.read('b')]).toEqual(['mine', '2']);
    rig.answer = 'overwrite';
    await restoreBefore(rig.parts, 's', 2);
    expect([rig.read('a'), rig.read('b')]).toEqual(['1', undefined]);
    await redoRestore(rig.parts, 's');
    expect([rig.read('a'), rig.read('b')]).toEqual(['mine', '2']);
  });

  it('sess-21: edits of the person between two changes of the agent are the person’s too', async () => {
    const rig = new Rig();
    rig.write('within', '1');
    rig.write('between', '1');
    await rig.agent(2, { within: '2', between: '2' });
    rig.write('within', '2 and mine');
    await rig.agent(2, { within: '3 and mine' });
    rig.write('between', '2 and mine');
    await rig.agent(4, { between: '3 and mine' });
    await restoreBefore(rig.parts, 's', 2);
    expect(rig.asked.map((list) => [...list].sort())).toEqual([['between', 'within']]);
    expect([rig.read('within'), rig.read('between')]).toEqual(['3 and mine', '3 and mine']);
  });

  it('C-8: what was undone as a whole, and done again, is no work of the person; another mode is', async () => {
    const rig = new Rig();
    const isRunnable = (name: string): boolean => (statSync(join(rig.root, name)).mode & 0o111) !== 0;
    for (const name of ['within', 'between', 'mode']) rig.write(name, '1');
    await rig.agent(2, { within: '2', between: '2', made: '2', mode: '2' });
    for (const name of ['within', 'between', 'mode']) rig.write(name, '1');
    rig.write('made', undefined);
    chmodSync(join(rig.root, 'mode'), 0o755);
    await rig.agent(2, { within: '2', made: '2', mode: '2' });
    await rig.agent(4, { between: '2' });
    // Once more, to another end.
    rig.write('within', '1');
    await rig.agent(2, { within: '3' });
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(rig.asked).toEqual(process.platform === 'win32' ? [] : [['mode']]);
    expect(names(report.restored, rig)).toEqual(['between', 'within']);
    expect([rig.read('within'), rig.read('between'), rig.read('made'), rig.read('mode'), isRunnable('mode')]).toEqual(['1', '1', undefined, '2', true]);
  });

  it('sess-21: follows no link and leaves hard links, folders and other things alone', async () => {
    const rig = new Rig();
    const outside = temporaryFolder();
    for (const name of ['a', 'b', 'c', 'd/e']) rig.write(name, '1');
    await rig.agent(2, { a: '2', b: '2', c: '2', 'd/e': '2' });
    writeFileSync(join(outside, 'secret'), '2');
    writeFileSync(join(outside, 'e'), '2');
    rmSync(rig.path('a'));
    symlinkSync(join(outside, 'secret'), rig.path('a'));
    linkSync(rig.path('b'), join(outside, 'hard'));
    rmSync(rig.path('c'));
    mkdirSync(rig.path('c'));
    rmSync(rig.path('d'), { recursive: true });
    symlinkSync(outside, rig.path('d'));
    rig.answer = 'overwrite';
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(report.skipped.map(({ path, why }) => [names([path], rig)[0], why]).sort()).toEqual([
      ['a', 'link'],
      ['b', 'hard_link'],
      ['c', 'not_a_file'],
      ['d/e', 'link'],
    ]);
    expect([readFileSync(join(outside, 'secret'), 'utf8'), readFileSync(join(outside, 'e'), 'utf8'), readFileSync(join(outside, 'hard'), 'utf8')]).toEqual([
      '2',
      '2',
      '2',
    ]);
  });

  it('sess-21: what was a link, a hard link or too large before is recorded as skipped', async () => {
    const rig = new Rig();
    rig.write('target', '1');
    symlinkSync(rig.path('target'), rig.path('link'));
    rig.write('h1', '1');
    linkSync(rig.path('h1'), rig.path('h2'));
    rig.write('large', 'x'.repeat(10 * 1024 * 1024 + 1));
    await rig.agent(2, { link: '2', h1: '2', large: '2' });
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(report.skipped.map(({ why }) => why).sort()).toEqual(['hard_link', 'link', 'too_large']);
    expect([rig.read('target'), rig.read('h2'), rig.read('large')]).toEqual(['2', '2', '2']);
  });

  it('tool-17: nothing in .git is read or changed, in nested repositories neither', async () => {
    const rig = new Rig();
    for (const name of ['.git/config', 'sub/.GIT/hooks/pre-commit', 'sub/.git']) if (name !== 'sub/.git') rig.write(name, '1');
    await rig.agent(2, { '.git/config': '2', 'sub/.GIT/hooks/pre-commit': '2' });
    rig.answer = 'overwrite';
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(report.skipped.map(({ why }) => why)).toEqual(['git', 'git']);
    expect([rig.read('.git/config'), rig.read('sub/.GIT/hooks/pre-commit')]).toEqual(['2', '2']);
    expect(readdirSync(join(rig.storage, 's'))).toEqual(['index.json']);
    await expect(rig.files.put(rig.path('.git/config'), { kind: 'absent' }, undefined)).rejects.toThrow(/file was skipped/);
  });

  it('tool-11: the mode comes back, unless the person changed it since', async () => {
    const rig = new Rig();
    rig.write('run', '1', 0o755);
    rig.write('mine', '1', 0o644);
    rig.write('only', '1', 0o600);
    await rig.agent(2, { run: '2', mine: '2', only: '1' }, () => {
      chmodSync(rig.path('run'), 0o644);
      chmodSync(rig.path('only'), 0o666);
    });
    chmodSync(rig.path('mine'), 0o700);
    await restoreBefore(rig.parts, 's', 2);
    expect(['run', 'mine', 'only'].map((name) => [rig.read(name), rig.mode(name)])).toEqual([
      ['1', 0o755],
      ['1', 0o700],
      ['1', 0o600],
    ]);
  });

  it('tool-08: a file that differs with the same size and time is the person’s', async () => {
    const rig = new Rig();
    rig.write('a', 'one');
    await rig.agent(2, { a: 'two' });
    const { atime, mtime } = statSync(rig.path('a'));
    rig.write('a', 'six');
    utimesSync(rig.path('a'), atime, mtime);
    await restoreBefore(rig.parts, 's', 2);
    expect(rig.read('a')).toBe('six');
    expect(rig.asked).toEqual([['a']]);
  });

  it('a read-only file is reported and stays', async () => {
    const rig = new Rig();
    rig.write('a', '1');
    await rig.agent(2, { a: '2' }, () => chmodSync(rig.path('a'), 0o444));
    const report = await restoreBefore(rig.parts, 's', 2);
    expect(report.skipped).toEqual([{ path: rig.path('a'), why: { problem: expect.stringMatching(/read-only/) as string } }]);
    expect(rig.read('a')).toBe('2');
  });

  it('sess-21: a restore that breaks off anywhere can be repeated, and then taken back whole', async () => {
    const start = async (): Promise<Rig> => {
      const rig = new Rig({ parent: QUICK });
      for (const name of ['a', 'b', 'c']) rig.write(name, '1');
      await rig.agent(2, { a: '2', b: '2', c: '2', d: '2' });
      return rig;
    };
    const counted = await start();
    const counter = new FaultyFiles(createNodeFileLayer());
    counted.reopened(counter);
    await restoreBefore(counted.parts, 's', 2);
    expect(counter.operations).toBeGreaterThan(20);
    for (let at = 1; at <= counter.operations; at += 1) {
      const rig = await start();
      rig.reopened(new FaultyFiles(createNodeFileLayer(), { at, how: 'kill', code: 'EIO' }));
      await restoreBefore(rig.parts, 's', 2).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      rig.reopened(createNodeFileLayer());
      await restoreBefore(rig.parts, 's', 2);
      expect(['a', 'b', 'c', 'd'].map((name) => rig.read(name))).toEqual(['1', '1', '1', undefined]);
      await redoRestore(rig.parts, 's');
      expect(['a', 'b', 'c', 'd'].map((name) => rig.read(name))).toEqual(['2', '2', '2', '2']);
      expect(rig.asked).toEqual([]);
    }
  }, 60_000);

  it('after a crash in the middle of a call nothing is known of its files, so the person is asked', async () => {
    const rig = new Rig();
    rig.write('a', '1');
    await rig.checkpoints.begin({ sessionId: 's', messageIndex: 2 }, [{ path: rig.path('a'), snapshot: await rig.files.look(rig.path('a')) }]);
    rig.write('a', '2');
    rig.reopened();
    await restoreBefore(rig.parts, 's', 2);
    expect([rig.read('a'), rig.asked]).toEqual(['2', [['a']]]);
    rig.answer = 'overwrite';
    await restoreBefore(rig.parts, 's', 2);
    expect(rig.read('a')).toBe('1');
  });

  it('property: bytes that are not the recorded ones change only with “overwrite”, and never without a way back', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const text = fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: undefined });
    const step = fc.record({ who: fc.constantFrom('agent', 'agent', 'person'), name, text, next: fc.boolean() });
    const answer = fc.constantFrom('keep' as const, 'overwrite' as const, 'cancel' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), answer, fc.nat(3), async (steps, chosen, back) => {
        const rig = new Rig({ parent: QUICK });
        rig.write('a', '0');
        rig.answer = chosen;
        let turn = 0;
        const left = new Map<string, string | undefined>();
        const first = new Map<string, string | undefined>();
        const touched = new Set<string>();
        const persons = new Map<string, string | undefined>();
        for (const { who, name: file, text: fresh, next } of steps) {
          if (next) turn += 1;
          if (who === 'person') {
            rig.write(file, fresh);
          } else {
            if (turn >= back && left.has(file) && left.get(file) !== rig.read(file)) {
              touched.add(file);
              persons.set(file, rig.read(file));
            }
            if (turn >= back && !first.has(file)) first.set(file, rig.read(file));
            await rig.agent(turn, { [file]: fresh });
            if (turn >= back) left.set(file, rig.read(file));
          }
        }
        const before = new Map(['a', 'b', 'c'].map((file) => [file, rig.read(file)]));
        await restoreBefore(rig.parts, 's', back);
        for (const file of ['a', 'b', 'c']) {
          const mine = !left.has(file) || left.get(file) !== before.get(file) || touched.has(file);
          if (chosen === 'cancel' && rig.asked.length > 0) expect(rig.read(file)).toBe(before.get(file));
          // Where the agent came back to a state and went on from the person's, theirs is what it is put back to.
          const theirs = left.has(file) && persons.has(file) ? [persons.get(file)] : [];
          if (mine && chosen !== 'overwrite') expect([before.get(file), ...theirs]).toContain(rig.read(file));
          if (!mine && rig.asked.length === 0) expect(rig.read(file)).toBe(first.get(file));
        }
        await redoRestore(rig.parts, 's');
        for (const file of ['a', 'b', 'c']) expect(rig.read(file)).toBe(before.get(file));
      }),
      { numRuns: runs(100) },
    );
  }, 60_000);
});

it('C-8: redo is about the conversation that was restored last; those opened with older restores come after', () => {
  const told: boolean[] = [];
  const list = new RedoList((any) => told.push(any));
  expect(list.latest).toBeUndefined();
  list.restored('a');
  list.opened('old');
  list.restored('b');
  list.opened('a');
  expect(list.latest).toBe('b');
  list.forget('b');
  expect(list.latest).toBe('a');
  list.restored('a');
  list.forget('a');
  expect(list.latest).toBe('old');
  list.forget('unknown');
  list.forget('old');
  expect([list.latest, told.at(-1), told.filter((any) => !any)]).toEqual([undefined, false, [false]]);
});
