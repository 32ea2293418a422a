import { linkSync, readdirSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../../src/domain/workspace/changes.js';
import { Checkpoints } from '../../../src/edits/checkpoints.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { restoreBefore } from '../../../src/edits/restore.js';
import { decodeText } from '../../../src/text/encoding.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { blobFiles, Rig } from './rig.js';
import { runs } from '../../support/runs.js';

/** A workspace with a ledger; its agent writes whole files. */
class LedgerRig extends Rig {
  ledger = this.open();

  open(): Ledger {
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, blobs.log), files: this.files, codec: textCodec });
    return this.ledger;
  }

  call(names: readonly string[], turn = 0): RecordedCall {
    const changes = names.map((name) => ({ action: 'create' as const, path: this.path(name), text: '' }));
    return {
      sessionId: 's',
      callId: 'c',
      messageIndex: turn,
      plan: { tool: 'write', subject: '', args: {}, accesses: [], preview: { kind: 'none' }, changes },
    };
  }

  async change(changes: Readonly<Record<string, string | undefined>>, turn = 0): Promise<void> {
    const recorder = createChangeRecorder({ checkpoints: this.checkpoints, ledger: this.ledger, files: this.files, log: this.log });
    const record = await recorder.begin(this.call(Object.keys(changes), turn));
    for (const [name, text] of Object.entries(changes)) this.write(name, text);
    await record.end({ failed: false });
  }

  pending(): string[] {
    return this.ledger
      .files()
      .map(({ path, lines, hunks }) => `${path.slice(this.root.length + 1)} +${lines?.added ?? '?'} -${lines?.removed ?? '?'} ${hunks.length}`);
  }
}

describe('ledger', () => {
  it('C-7: counts lines, and undoes changed, created and deleted files', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n2\n3\n');
    rig.write('gone', 'x\ny\n', 0o755);
    await rig.change({ a: '1\ntwo\n3\n4\n', made: 'm\n', gone: undefined, empty: '' });
    expect(rig.pending()).toEqual(['a +2 -1 2', 'empty +0 -0 0', 'gone +0 -2 0', 'made +1 -0 1']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(['a', 'made', 'gone', 'empty'].map((name) => rig.read(name))).toEqual(['1\n2\n3\n', undefined, 'x\ny\n', undefined]);
    expect(rig.mode('gone')).toBe(0o755);
    expect(rig.pending()).toEqual([]);
  });

  it('C-7: keeps and undoes notebooks as a whole, byte for byte, and shows the text of their cells', async () => {
    const rig = new LedgerRig();
    const notebook = (...sources: readonly string[]): string =>
      JSON.stringify({ nbformat: 4, cells: sources.map((source) => ({ source, cell_type: 'markdown' })) });
    rig.write('a.ipynb', notebook('one', 'two'));
    await rig.change({ 'a.ipynb': notebook('one', '2\nthree'), 'new.ipynb': notebook('x'), 'broken.ipynb': '{' });
    expect(rig.pending()).toEqual(['a.ipynb +2 -1 0', 'broken.ipynb +1 -0 0', 'new.ipynb +2 -0 0']);
    expect(rig.ledger.files()[0]).toMatchObject({
      baseline: '%% cell markdown nr=1\none\n%% cell markdown nr=2\ntwo\n',
      present: '%% cell markdown nr=1\none\n%% cell markdown nr=2\n2\nthree\n',
    });
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(['a.ipynb', 'new.ipynb', 'broken.ipynb'].map((name) => rig.read(name))).toEqual([notebook('one', 'two'), undefined, undefined]);
    await rig.change({ 'a.ipynb': notebook('agent') });
    rig.write('a.ipynb', notebook('mine'));
    expect(await rig.ledger.undoAll()).toMatchObject([{ why: 'You have since changed it, so it was left unchanged.' }]);
    await rig.ledger.keepAll();
    expect(rig.pending()).toEqual([]);
  });

  it('C-7: undoes notebooks whose cells were run since, and keeps what other cells gave', async () => {
    const rig = new LedgerRig();
    const cell = (id: string, source: string, output?: string): string =>
      `{"cell_type": "code", "id": "${id}", "source": "${source}", "outputs": [${output === undefined ? '' : `{"text": "${output}"}`}]}`;
    const notebook = (...cells: readonly string[]): string => `{"cells": [${cells.join(',')}], "nbformat": 4}`;
    rig.write('a.ipynb', notebook(cell('a', 'one', 'old'), cell('b', 'two', 'old')));
    await rig.change({ 'a.ipynb': notebook(cell('a', 'one', 'old'), cell('b', 'agent', 'old')) });
    rig.write('a.ipynb', notebook(cell('a', 'one', 'run'), cell('b', 'agent', 'run')));
    await rig.change({ 'a.ipynb': notebook(cell('a', 'one', 'run'), cell('b', 'agent again', 'run'), cell('c', 'new')) });
    rig.write('a.ipynb', notebook(cell('a', 'one', 'run twice'), cell('b', 'agent again'), cell('c', 'new', 'run')));
    rig.open();
    await rig.ledger.load();
    expect(rig.pending()).toEqual(['a.ipynb +3 -1 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.read('a.ipynb')).toBe(notebook(cell('a', 'one', 'run twice'), cell('b', 'two', 'old')));
  });

  it('C-7: tells what is under review without waiting for the disk', async () => {
    const rig = new LedgerRig();
    const order: string[] = [];
    const blobs = blobFiles();
    const save = (path: string, bytes: Uint8Array): Promise<void> => (order.push('saved'), blobs.save(path, bytes));
    rig.ledger = new Ledger({ store: new LedgerStore(join(rig.storage, 'ledger'), { ...blobs, save }, blobs.log), files: rig.files, codec: textCodec });
    rig.ledger.onDidChange(() => order.push(`told of ${rig.ledger.files().length}`));
    const before = await rig.files.look(rig.path('a'));
    rig.write('a', 'new\n');
    await rig.ledger.changed('s', [{ path: rig.path('a'), before, after: await rig.files.look(rig.path('a')) }]);
    expect([...new Set(order)]).toEqual(['told of 1', 'saved']);
  });

  it('C-7: tells what a call has done so far when an editor shows it, and at its end what it did', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n2\n');
    rig.write('other', '1\n');
    const recorder = createChangeRecorder({ checkpoints: rig.checkpoints, ledger: rig.ledger, files: rig.files, log: rig.log });
    const told = (): Promise<void> =>
      new Promise((resolve) => {
        const stop = rig.ledger.onDidChange(() => {
          stop();
          resolve();
        });
      });
    const record = await recorder.begin(rig.call(['a']));
    rig.write('a', '1\ntwo\n');
    rig.write('other', 'mine\n');
    const early = told();
    recorder.changedNow(rig.path('other'));
    recorder.changedNow(rig.path('a'));
    await early;
    expect(rig.pending()).toEqual(['a +1 -1 1']);
    // As a formatter does when the file is saved.
    rig.write('a', 'one\ntwo\n');
    recorder.changedNow(rig.path('a'));
    await record.end({ failed: false });
    expect(rig.pending()).toEqual(['a +2 -2 1']);
    rig.write('a', 'one\ntwo\nmine\n');
    recorder.changedNow(rig.path('a'));
    await rig.ledger.refresh(rig.path('a'));
    expect(rig.pending()).toEqual(['a +2 -2 1']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.read('a')).toBe('1\n2\nmine\n');
  });

  it('C-7: kept hunks and files are no longer pending, and later changes start from there', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n2\n3\n');
    await rig.change({ a: 'one\n2\nthree\n', made: 'm\n' });
    await rig.ledger.keep(rig.path('a'), ({ index }) => index === 0);
    await rig.ledger.keep(rig.path('made'));
    expect(rig.pending()).toEqual(['a +1 -1 1']);
    await rig.change({ a: 'one\n2!\nthree\n' });
    await rig.ledger.undoAll();
    expect([rig.read('a'), rig.read('made')]).toEqual(['one\n2\n3\n', 'm\n']);
    await rig.change({ a: 'x\n' });
    await rig.ledger.keepAll();
    expect([rig.pending(), rig.read('a')]).toEqual([[], 'x\n']);
  });

  it('C-7: survives a reload, with edits of the person made meanwhile', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n2\n3\n');
    rig.write('binary', 'a\0b');
    await rig.change({ a: '1\ntwo\n3\n', binary: 'c\0d' });
    rig.write('a', 'mine\n1\ntwo\n3\n');
    await rig.open().load();
    expect(rig.pending()).toEqual(['a +1 -1 1', 'binary +? -? 0']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect([rig.read('a'), rig.read('binary')]).toEqual(['mine\n1\n2\n3\n', 'a\0b']);
    await rig.open().load();
    expect(rig.pending()).toEqual([]);
    expect(readdirSync(join(rig.storage, 'ledger'))).toEqual(['ledger.json']);
  });

  it('C-8: what is pending of a session is pending in a branch of it too, after a reload as well', async () => {
    const rig = new LedgerRig();
    rig.write('bin', 'a\0');
    await rig.change({ a: '1\n', b: '1\n', bin: 'b\0' });
    await rig.ledger.shared('s', 'branch', new Set([rig.path('a'), rig.path('bin')]));
    await rig.ledger.shared('other', 'stranger', new Set([rig.path('a')]));
    const shared = (): string[] => rig.ledger.files().map(({ path, sessions }) => `${path.slice(rig.root.length + 1)} ${sessions.join()}`);
    const expected = ['a s,branch', 'b s', 'bin s,branch'];
    expect(shared()).toEqual(expected);
    await rig.open().load();
    expect(shared()).toEqual(expected);
    await rig.ledger.undoAll();
    expect([rig.read('a'), rig.read('bin')]).toEqual([undefined, 'a\0']);
  });

  it.each(['{', '{"version":9}', '{"version":1,"files":[{"kind":"whole","path":"/a","sessions":[],"before":1}]}'])(
    'begins anew when it is damaged: %s',
    async (text) => {
      const rig = new LedgerRig();
      await rig.change({ a: '1\n' });
      writeFileSync(join(rig.storage, 'ledger', 'ledger.json'), text);
      await rig.open().load();
      expect(rig.pending()).toEqual([]);
      await rig.change({ b: '1\n' });
      expect(rig.pending()).toEqual(['b +1 -0 1']);
    },
  );

  it('never shows a file without its changes while it is looked at again', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n');
    await rig.change({ a: '2\n' });
    let looked = false;
    const looking = rig.ledger.refresh(rig.path('a')).then(() => {
      looked = true;
    });
    while (!looked) {
      expect(rig.pending()).toEqual(['a +1 -1 1']);
      await setImmediate();
    }
    await looking;
  });

  it('C-7: what the person changed is refused and said', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n2\n3\n');
    rig.write('b', 'x\0y');
    await rig.change({ a: 'one\n2\nthree\n', b: 'z\0z', linked: '1\n', made: 'm\n' });
    rig.write('a', 'one, mine\n2\nthree\n');
    rig.write('b', 'mine\0');
    rig.write('made', 'm\nmine\n');
    linkSync(rig.path('linked'), rig.path('other'));
    const refused = await rig.ledger.undoAll();
    expect(refused.map(({ path, why }) => `${path.slice(rig.root.length + 1)}: ${why}`)).toEqual([
      expect.stringMatching(/^a: You have since changed some of the lines/),
      expect.stringMatching(/^b: You have since changed it/),
      expect.stringMatching(/^linked: The file no longer exists or is no longer a text file/),
    ]);
    expect(['a', 'b', 'linked', 'made'].map((name) => rig.read(name))).toEqual(['one, mine\n2\n3\n', 'mine\0', '1\n', 'mine\n']);
  });

  it('tool-06: undo keeps encoding, byte-order mark and line endings', async () => {
    const rig = new LedgerRig();
    const before = Buffer.from('\uFEFFa\r\nb\r\nc', 'utf16le');
    writeFileSync(rig.path('wide'), before);
    writeFileSync(rig.path('latin'), Buffer.from('caf\xe9\nb\n', 'latin1'));
    const recorder = createChangeRecorder({ checkpoints: rig.checkpoints, ledger: rig.ledger, files: rig.files, log: rig.log });
    const record = await recorder.begin(rig.call(['wide', 'latin']));
    writeFileSync(rig.path('wide'), Buffer.from('\uFEFFa\r\nB\r\nc', 'utf16le'));
    writeFileSync(rig.path('latin'), Buffer.from('caf\xe9\nB\n', 'latin1'));
    await record.end({ failed: false });
    expect(rig.pending()).toEqual(['latin +1 -1 1', 'wide +1 -1 1']);
    await rig.ledger.undoAll();
    const wide = await rig.files.look(rig.path('wide'));
    expect(wide.kind === 'file' && Buffer.from(wide.bytes).equals(before)).toBe(true);
    const latin = await rig.files.look(rig.path('latin'));
    expect(latin.kind === 'file' && decodeText(latin.bytes)).toEqual({ text: 'café\nb\n', encoding: 'windows1252' });
  });

  it('C-8: a restore takes the changes out of the review', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n');
    await rig.change({ a: '2\n' }, 0);
    await rig.change({ a: '3\n', b: 'b\n' }, 2);
    const report = await restoreBefore(rig.parts, 's', 2);
    await rig.ledger.restored([...report.restored, ...report.deleted]);
    expect(rig.pending()).toEqual(['a +1 -1 1']);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.read('a')).toBe('1\n');
  });

  it('C-7: what a command changed is found where it can be', async () => {
    const rig = new LedgerRig();
    rig.write('a', '1\n');
    const snapshot = await rig.files.look(rig.path('a'));
    const commands = {
      watch: () =>
        Promise.resolve({
          folders: [rig.root],
          area: [rig.root],
          changed: async () => [
            { path: rig.path('a'), before: snapshot, after: await rig.files.look(rig.path('a')) },
            { path: rig.path('b'), before: { kind: 'skipped' as const, reason: 'not_known' as const }, after: await rig.files.look(rig.path('b')) },
          ],
          take: () => Promise.resolve(undefined),
        }),
    };
    const recorder = createChangeRecorder({ checkpoints: rig.checkpoints, ledger: rig.ledger, files: rig.files, commands, log: rig.log });
    const call = rig.call([], 2);
    const record = await recorder.begin({ ...call, ground: { folders: [rig.root] }, plan: { ...call.plan, accesses: [{ kind: 'execute', target: 'make' }] } });
    rig.write('a', '2\n');
    rig.write('b', 'out\n');
    await record.end({ failed: false });
    expect(rig.pending()).toEqual(['a +1 -1 1', 'b +? -? 0']);
    expect((await rig.ledger.undoAll()).map(({ why }) => why)).toEqual([expect.stringMatching(/earlier content is unknown/)]);
    expect((await restoreBefore(rig.parts, 's', 2)).skipped).toEqual([{ path: rig.path('b'), why: 'not_known' }]);
    expect([rig.read('a'), rig.read('b')]).toEqual(['1\n', 'out\n']);
  });

  it('trouble with the storage is logged and not in the way of the call', async () => {
    const rig = new LedgerRig();
    const lost = '/dev/null/no';
    const checkpoints = new Checkpoints({ ...blobFiles(), log: rig.log, folder: lost, removeFolder: (path) => rmdir(path) });
    const recorder = createChangeRecorder({ checkpoints, ledger: rig.ledger, files: rig.files, log: rig.log });
    const record = await recorder.begin(rig.call(['a']));
    rig.write('a', '1');
    await record.end({ failed: false });
    expect(rig.log.lines.join()).toMatch(/could not be kept/);
  });

  it('property: undoing all after edits of agent and person on the disk gives the baseline with the person’s lines', async () => {
    const edit = fc.record({ agent: fc.boolean(), at: fc.nat(20), add: fc.nat(2), reload: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
        const rig = new LedgerRig();
        // Long enough that the halves stay apart, however many lines the agent deletes or adds.
        const base = Array.from({ length: 20 }, (_, index) => `base ${index}\n`);
        rig.write('a', base.join(''));
        for (const [number, { agent, at, add, reload }] of edits.entries()) {
          const lines = (rig.read('a') ?? '').split(/(?<=\n)/);
          // Each stays in its own half: what both touch is the person's.
          const place = agent ? at % 4 : lines.length - (at % 4);
          const fresh = Array.from({ length: add }, (_, index) => `${agent ? 'agent' : 'person'} ${number}.${index}\n`);
          const text = [...lines.slice(0, place), ...fresh, ...lines.slice(agent ? place + 1 : place)].join('');
          if (agent) await rig.change({ a: text });
          else rig.write('a', text);
          if (reload) await rig.open().load();
        }
        const person = (rig.read('a') ?? '').split(/(?<=\n)/).filter((line) => line.startsWith('person'));
        expect(await rig.ledger.undoAll()).toEqual([]);
        const result = (rig.read('a') ?? '').split(/(?<=\n)/);
        expect(result.filter((line) => !line.startsWith('person'))).toEqual(base);
        expect(result.filter((line) => line.startsWith('person'))).toEqual(person);
      }),
      { numRuns: runs(40) },
    );
  }, 60_000);
});
