import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../support/runs.js';
import { MovingRig } from './moving-rig.js';

const CONTENTS: Readonly<Record<string, string>> = { a: 'a\n1\n', b: 'b\n1\n', c: 'c\n1\n' };
const EDITED = 'You have since changed it, so it was left unchanged.';
const TOGETHER = /^The file can only be moved back together with .*, so it was left where it is\.$/;

/** What is kept or undone as a whole. */
function notebook(text: string): string {
  return JSON.stringify({ nbformat: 4, cells: [{ source: text, cell_type: 'markdown' }] });
}

/** A workspace with files that are named like their first lines. */
function rigWith(files: Readonly<Record<string, string>> = CONTENTS): MovingRig {
  const rig = new MovingRig();
  for (const [name, text] of Object.entries(files)) rig.write(name, text, name === 'a' ? 0o755 : 0o644);
  return rig;
}

/** Has each file go where the next one is, and the last one where the first is. */
async function rotate(rig: MovingRig, ...[first = '', ...others]: readonly string[]): Promise<void> {
  await rig.move(first, 'x');
  let free = first;
  for (const name of [...others].reverse()) {
    await rig.move(name, free);
    free = name;
  }
  await rig.move('x', free);
}

/** Everything in the folder, and what is pending. */
function state(rig: MovingRig): { readonly files: Readonly<Record<string, string | undefined>>; readonly pending: readonly string[] } {
  const names = readdirSync(rig.root).sort();
  return { files: Object.fromEntries(names.map((name) => [name, rig.read(name)])), pending: rig.pending() };
}

/** Fails to put anything at some paths, as when a program holds the files. */
function failAt(rig: MovingRig, fails: (name: string, deletes: boolean) => boolean): () => void {
  const put = rig.files.put.bind(rig.files);
  rig.files.put = (path, expected, wanted) =>
    fails(path.slice(rig.root.length + 1), wanted === undefined) ? Promise.reject(new Error('busy')) : put(path, expected, wanted);
  return () => void (rig.files.put = put);
}

describe('files that the agent has made change places', () => {
  it.each([{ names: ['a', 'b'] }, { names: ['a', 'b', 'c'] }])('C-7: are back when all is undone, also after a reload: $names', async ({ names }) => {
    const rig = rigWith();
    await rotate(rig, ...names);
    rig.open();
    await rig.ledger.load();
    expect(rig.pending()).toHaveLength(names.length);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect([state(rig), rig.mode('a')]).toEqual([{ files: CONTENTS, pending: [] }, 0o755]);
  });

  it('C-7: are undone together with one of them, whichever it is, and no others', async () => {
    for (const name of ['a', 'b']) {
      const rig = rigWith();
      await rotate(rig, 'a', 'b');
      await rig.put('c', 'c\n2\n');
      const other = name === 'a' ? 'b' : 'a';
      expect(rig.ledger.together([rig.path(name), rig.path('c')])).toEqual([name, 'c', other].map((one) => rig.path(one)));
      expect(await rig.ledger.undo(rig.path(name))).toEqual([]);
      expect(state(rig)).toEqual({ files: { ...CONTENTS, c: 'c\n2\n' }, pending: ['changed c +1 -1 1'] });
    }
  });

  it('C-7: lose what the agent changed in them, and keep lines of the user, which is said', async () => {
    const rig = rigWith();
    await rig.move('a', 'x', 'a\none\n');
    await rig.move('b', 'a', 'b\none\n');
    await rig.move('x', 'b');
    rig.write('b', 'mine\na\none\nmine\n');
    rig.write('a', 'b\none of mine\n');
    expect(await rig.ledger.undoAll()).toEqual([{ path: rig.path('b'), why: 'You have since changed some of the lines, so those were left unchanged.' }]);
    expect(state(rig)).toEqual({ files: { ...CONTENTS, a: 'mine\na\n1\nmine\n', b: 'b\none of mine\n' }, pending: [] });
  });

  it('C-7: stay where they are while one of them is another file by now, and each says why', async () => {
    const [a, b, mine] = [notebook('a'), notebook('b'), notebook('mine')];
    const rig = rigWith({ 'a.ipynb': a, 'b.ipynb': b });
    await rotate(rig, 'a.ipynb', 'b.ipynb');
    rig.write('b.ipynb', mine);
    const before = state(rig);
    const refused = [
      { path: rig.path('b.ipynb'), why: EDITED },
      { path: rig.path('a.ipynb'), why: expect.stringMatching(TOGETHER) as string },
    ];
    expect(await rig.ledger.undoAll()).toEqual(refused);
    expect(await rig.ledger.undo(rig.path('a.ipynb'))).toEqual(refused);
    expect([before.files, state(rig)]).toEqual([{ 'a.ipynb': b, 'b.ipynb': mine }, before]);
  });

  it('C-7: leave alone a file of the user’s with the name that one of them would have in between', async () => {
    const rig = rigWith({ ...CONTENTS, 'a.undo': 'mine\n', 'b.undo': 'mine\n' });
    const before = state(rig);
    await rotate(rig, 'a', 'b');
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(state(rig)).toEqual(before);
  });

  it('C-7: go back one by one where the user has deleted one of them', async () => {
    const rig = rigWith();
    await rotate(rig, 'a', 'b');
    rig.write('b', undefined);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(state(rig)).toEqual({ files: { b: CONTENTS['b'], c: CONTENTS['c'] }, pending: [] });
  });

  it('C-7: are back when the agent has deleted one of them after that', async () => {
    const rig = rigWith();
    await rotate(rig, 'a', 'b');
    await rig.delete('b');
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(state(rig)).toEqual({ files: CONTENTS, pending: [] });
  });

  it('C-7: are where they were when the first step fails', async () => {
    for (const fails of [(name: string) => name === 'a.undo', (name: string, deletes: boolean) => name === 'a' && deletes]) {
      const rig = rigWith();
      await rotate(rig, 'a', 'b');
      const before = state(rig);
      failAt(rig, fails);
      expect(await rig.ledger.undo(rig.path('a'))).toEqual([{ path: rig.path('a'), why: 'busy' }]);
      expect(state(rig)).toEqual(before);
    }
  });

  it('C-7: are where they were when one cannot be moved into the first place that is free', async () => {
    const rig = rigWith();
    await rotate(rig, 'a', 'b', 'c');
    const before = state(rig);
    failAt(rig, (name, deletes) => name === 'b' && deletes);
    expect(await rig.ledger.undo(rig.path('a'))).toEqual([{ path: rig.path('b'), why: 'busy' }]);
    expect(state(rig)).toEqual(before);
  });

  it('C-7: are all there and under review when a later step fails, also after a reload, and back when it is tried again', async () => {
    const rig = rigWith();
    await rotate(rig, 'a', 'b', 'c');
    const mend = failAt(rig, (name, deletes) => name === 'c' && deletes);
    const [busy, aside] = await rig.ledger.undo(rig.path('a'));
    expect(busy).toEqual({ path: rig.path('c'), why: 'busy' });
    expect(aside).toEqual({ path: rig.path('a.undo'), why: `This file was at ${rig.path('a')} and is here for now. Undo it again to move it back.` });
    mend();
    rig.open();
    await rig.ledger.load();
    const files = { a: CONTENTS['a'], 'a.undo': CONTENTS['c'], c: CONTENTS['b'] };
    expect(state(rig)).toEqual({ files, pending: ['changed c → a.undo +0 -0 0', 'changed b → c +0 -0 0'] });
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(state(rig)).toEqual({ files: CONTENTS, pending: [] });
  });

  it('property: undoing gives every file where and what it was, after any moves, all at once or one by one', async () => {
    const places = ['a', 'b', 'c', 'd.ipynb', 'x'];
    const files = { ...CONTENTS, 'd.ipynb': notebook('d') };
    const orders = fc.option(fc.shuffledSubarray(places, { minLength: places.length }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...places), { minLength: 3, maxLength: 10 }), orders, async (moves, order) => {
        const rig = rigWith(files);
        for (const from of moves) {
          // One place is always free.
          const to = places.find((place) => rig.read(place) === undefined) ?? '';
          if (from !== to) await rig.move(from, to);
        }
        // In a chain, a file waits for the one in its place; nothing is ever stuck for good.
        for (const one of order === undefined ? [] : places.flatMap(() => order)) if (rig.ledger.has(rig.path(one))) await rig.ledger.undo(rig.path(one));
        if (order === undefined) expect(await rig.ledger.undoAll()).toEqual([]);
        expect(state(rig)).toEqual({ files, pending: [] });
      }),
      { numRuns: runs(120) },
    );
  });
});
