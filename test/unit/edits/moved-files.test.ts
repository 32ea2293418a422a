import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Checkpoints } from '../../../src/edits/checkpoints.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { redoRestore, restoreBefore } from '../../../src/edits/restore.js';
import { runs } from '../../support/runs.js';
import { MovingRig } from './moving-rig.js';
import { blobFiles } from './rig.js';

describe('a file that the agent deleted', () => {
  it('C-7: is back with its mode when that is undone, also after a reload, and gone when it is kept', async () => {
    const rig = new MovingRig();
    for (const name of ['a', 'b']) rig.write(name, '1\n2\n', 0o755);
    await rig.delete('a');
    await rig.delete('b');
    rig.open();
    await rig.ledger.load();
    expect(rig.pending()).toEqual(['deleted a +0 -2 0', 'deleted b +0 -2 0']);
    expect(await rig.ledger.undo(rig.path('a'))).toEqual([]);
    await rig.ledger.keep(rig.path('b'));
    expect([rig.all('a', 'b'), rig.mode('a'), rig.pending()]).toEqual([['1\n2\n', undefined], 0o755, []]);
  });

  it('is told of as lost when it cannot be kept, and only then', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    const plan = {
      ...{ tool: 'apply_patch', subject: 'a', args: {}, accesses: [], preview: { kind: 'none' as const } },
      changes: [{ action: 'delete' as const, path: rig.path('a'), baseHash: '' }],
    };
    const begin = async (checkpoints: Checkpoints): Promise<true | undefined> => {
      const recorder = createChangeRecorder({ checkpoints, ledger: rig.ledger, files: rig.files, log: rig.log });
      const record = await recorder.begin({ sessionId: 's', callId: 'c', messageIndex: 0, plan });
      await record.end({ failed: false });
      return record.lost;
    };
    const blobs = blobFiles();
    const save = (path: string, bytes: Uint8Array): Promise<void> => (path.endsWith('.json') ? blobs.save(path, bytes) : Promise.reject(new Error('full')));
    const options = { log: rig.log, removeFolder: (path: string) => rmdir(path) };
    expect(await begin(new Checkpoints({ ...blobs, ...options, folder: rig.storage }))).toBeUndefined();
    expect(await begin(new Checkpoints({ ...blobs, save, ...options, folder: join(rig.storage, 'full') }))).toBe(true);
    expect(await begin(new Checkpoints({ ...blobs, ...options, folder: '/dev/null/no' }))).toBe(true);
  });

  it('C-7: that it had changed or made before is back as it was before that', async () => {
    const rig = new MovingRig();
    rig.write('a', 'mine\n');
    await rig.put('a', 'agent\n');
    await rig.put('made', 'agent\n');
    await rig.delete('a');
    await rig.delete('made');
    expect(rig.pending()).toEqual(['deleted a +0 -1 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.all('a', 'made')).toEqual(['mine\n', undefined]);
  });
});

describe('a file that the agent moved', () => {
  it('C-7: is one change with the difference of its text, and is back where it was when that is undone, also after a reload', async () => {
    const rig = new MovingRig();
    rig.write('src/a', '1\n2\n3\n', 0o755);
    await rig.move('src/a', 'lib/b', '1\ntwo\n3\n');
    rig.open();
    await rig.ledger.load();
    expect(rig.pending()).toEqual(['changed src/a → lib/b +1 -1 1']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect([rig.all('src/a', 'lib/b'), rig.mode('src/a'), rig.pending()]).toEqual([['1\n2\n3\n', undefined], 0o755, []]);
  });

  it('C-7: waits to be kept or undone without a change of its text, and when its only change was decided alone', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    rig.write('c', '1\n');
    await rig.move('a', 'b');
    await rig.move('c', 'd', '2\n');
    await rig.ledger.keep(rig.path('d'), ({ line }) => line === 0);
    expect(rig.pending()).toEqual(['changed a → b +0 -0 0', 'changed c → d +0 -0 0']);
    await rig.ledger.keep(rig.path('b'));
    expect(rig.pending()).toEqual(['changed c → d +0 -0 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.all('a', 'b', 'c', 'd')).toEqual([undefined, '1\n', '2\n', undefined]);
  });

  it('C-7: keeps lines of the user when it is moved back, which is said', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n2\n3\n');
    await rig.move('a', 'b', '1\ntwo\n3\n');
    rig.write('b', '1\ntwo of mine\n3\nmine\n');
    expect(await rig.ledger.undo(rig.path('b'))).toMatchObject([{ why: 'You have since changed some of the lines, so those were left unchanged.' }]);
    expect(rig.all('a', 'b')).toEqual(['1\ntwo of mine\n3\nmine\n', undefined]);
  });

  it('C-7: stays where it is while something is where it was', async () => {
    const rig = new MovingRig();
    rig.write('a', 'a\n');
    await rig.move('a', 'b');
    rig.write('a', 'mine\n');
    const [refusal] = await rig.ledger.undo(rig.path('b'));
    expect(refusal?.why).toMatch(/^Something is now at .*, so it was not moved back\.$/);
    expect([rig.all('a', 'b'), rig.pending()]).toEqual([['mine\n', 'a\n'], ['changed a → b +0 -0 0']]);
  });

  it('C-7: leaves nothing where it was when it cannot be taken from where it is', async () => {
    const rig = new MovingRig();
    rig.write('a', 'a\n');
    await rig.move('a', 'b');
    const put = rig.files.put.bind(rig.files);
    rig.files.put = (path, expected, wanted) => (path === rig.path('b') ? Promise.reject(new Error('busy')) : put(path, expected, wanted));
    expect(await rig.ledger.undo(rig.path('b'))).toEqual([{ path: rig.path('b'), why: 'busy' }]);
    expect(rig.all('a', 'b')).toEqual([undefined, 'a\n']);
  });

  it('C-7: is back where it was after several moves and changes, and no longer pending where it began', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    await rig.put('a', '2\n');
    await rig.move('a', 'b', '3\n');
    await rig.move('b', 'c');
    expect(rig.pending()).toEqual(['changed a → c +1 -1 1']);
    await rig.move('c', 'a', '1\n');
    expect(rig.pending()).toEqual([]);
    await rig.put('made', 'x\n');
    await rig.move('made', 'also made');
    expect(rig.pending()).toEqual(['created also made +1 -0 1']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.all('a', 'made', 'also made')).toEqual(['1\n', undefined, undefined]);
  });

  it('C-7: is moved back after what has come to be where it was, whatever their names', async () => {
    const rig = new MovingRig();
    rig.write('b', 'b\n');
    rig.write('c', 'c\n');
    await rig.move('b', 'a');
    await rig.move('c', 'b');
    await rig.put('c', 'new\n');
    expect(rig.pending()).toEqual(['changed b → a +0 -0 0', 'changed c → b +0 -0 0', 'created c +1 -0 1']);
    expect(await rig.ledger.undoAll(['a', 'b', 'c'].map((name) => rig.path(name)))).toEqual([]);
    expect(rig.all('a', 'b', 'c')).toEqual([undefined, 'b\n', 'c\n']);
  });

  it('C-7: and then deleted is back where it was', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    await rig.move('a', 'b', '2\n');
    await rig.delete('b');
    expect(rig.pending()).toEqual(['deleted a +0 -1 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.all('a', 'b')).toEqual(['1\n', undefined]);
  });

  it('C-7: a notebook, and what is no text, are moved back as a whole', async () => {
    const rig = new MovingRig();
    const notebook = '{"nbformat": 4, "cells": [{"source": "one", "cell_type": "markdown"}]}';
    rig.write('a.ipynb', notebook);
    await rig.move('a.ipynb', 'b.ipynb');
    expect(rig.pending()).toEqual(['changed a.ipynb → b.ipynb +0 -0 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.all('a.ipynb', 'b.ipynb')).toEqual([notebook, undefined]);
  });

  it('C-8: a restore, and undoing that, take both ends along', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n', 0o755);
    rig.write('gone', 'x\n');
    rig.turn = 2;
    await rig.move('a', 'b', '2\n');
    await rig.delete('gone');
    expect(await restoreBefore(rig.parts, 's', 2)).toMatchObject({ kept: [], skipped: [] });
    await rig.ledger.restored(['a', 'b', 'gone'].map((name) => rig.path(name)));
    expect([rig.all('a', 'b', 'gone'), rig.mode('a'), rig.pending()]).toEqual([['1\n', undefined, 'x\n'], 0o755, []]);
    expect(await redoRestore(rig.parts, 's')).toMatchObject({ kept: [], skipped: [] });
    expect([rig.all('a', 'b', 'gone'), rig.mode('b')]).toEqual([[undefined, '2\n', undefined], 0o755]);
  });

  it('C-8: a restore asks before it takes what the user wrote in its new place', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    rig.turn = 2;
    await rig.move('a', 'b');
    rig.write('b', 'mine\n');
    expect(await restoreBefore(rig.parts, 's', 2)).toMatchObject({ kept: [rig.path('b')] });
    expect([rig.asked, rig.all('a', 'b')]).toEqual([[['b']], ['1\n', 'mine\n']]);
  });

  it('is only what has happened: a call that failed is no change', async () => {
    const rig = new MovingRig();
    rig.write('a', '1\n');
    rig.write('b', '2\n');
    await rig.move('a', 'b');
    expect([rig.pending(), rig.all('a', 'b')]).toEqual([[], ['1\n', '2\n']]);
  });

  it('property: undoing all gives every file as it was, whatever was moved, deleted, and written in between', async () => {
    const names = ['a', 'b', 'c', 'd/e'] as const;
    const name = fc.constantFrom(...names);
    const step = fc.oneof(
      fc.record({ do: fc.constant('move' as const), name, to: name, text: fc.option(fc.constantFrom('x\n', 'y\nz\n'), { nil: undefined }) }),
      fc.record({ do: fc.constant('delete' as const), name }),
      fc.record({ do: fc.constant('put' as const), name, text: fc.constantFrom('p\n', 'q\n') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const rig = new MovingRig();
        for (const each of names.slice(0, 2)) rig.write(each, `${each}\n`);
        const before = rig.all(...names);
        for (const each of steps) {
          if (each.do === 'put') await rig.put(each.name, each.text);
          else if (rig.read(each.name) === undefined) continue;
          else if (each.do === 'delete') await rig.delete(each.name);
          else await rig.move(each.name, each.to, each.text ?? rig.read(each.name));
        }
        expect(await rig.ledger.undoAll()).toEqual([]);
        expect([rig.all(...names), rig.pending()]).toEqual([before, []]);
      }),
      { numRuns: runs(200) },
    );
  });
});
