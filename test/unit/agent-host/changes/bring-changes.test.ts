import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileChange } from '../../../../src/domain/workspace/documents.js';
import { Checkpoints } from '../../../../src/edits/checkpoints.js';
import { Ledger } from '../../../../src/edits/ledger.js';
import { LedgerStore } from '../../../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../../../src/edits/recorder.js';
import { restoreBefore } from '../../../../src/edits/restore.js';
import type { OtherStorage } from '../../../../src/session/other-workspaces/storage-index.js';
import { bringChanges, bringLeft, checkpointsIn, leftFor, pendingIn } from '../../../../src/agent-host/changes/bring-changes.js';
import { createDiskFiles } from '../../../../src/agent-host/changes/disk-files.js';
import { textCodec } from '../../../../src/edits/text-work.js';
import { blobFiles } from '../../edits/rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A window with a storage of its own. */
class WindowRig {
  readonly files = createDiskFiles();
  private readonly blobs = blobFiles();
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;

  constructor(readonly storage: string) {
    this.checkpoints = new Checkpoints({ ...this.blobs, folder: checkpointsIn(storage), removeFolder: (path) => rmdir(path) });
    this.ledger = new Ledger({ store: new LedgerStore(pendingIn(storage), this.blobs, this.blobs.log), files: this.files, codec: textCodec });
  }

  /** Changes files as the agent of a session does. */
  change(sessionId: string, changes: Readonly<Record<string, string>>): Promise<void> {
    const planned = Object.keys(changes).map((path) => ({ action: 'create' as const, path, text: '' }));
    return this.record(sessionId, planned, () => {
      for (const [path, text] of Object.entries(changes)) writeFileSync(path, text);
    });
  }

  /** Moves a file as the agent of a session does. */
  move(sessionId: string, from: string, path: string): Promise<void> {
    return this.record(sessionId, [{ action: 'modify', path, from, baseHash: '', text: '' }], () => renameSync(from, path));
  }

  private async record(sessionId: string, planned: readonly FileChange[], act: () => void): Promise<void> {
    const { checkpoints, ledger, files, blobs } = this;
    const recorder = createChangeRecorder({ checkpoints, ledger, files, log: blobs.log });
    const plan = { tool: 'write', subject: '', args: {}, accesses: [], preview: { kind: 'none' as const }, changes: planned };
    const record = await recorder.begin({ sessionId, callId: 'c', messageIndex: 0, plan });
    act();
    await record.end({ failed: false });
  }

  bring(sessionId: string, from: OtherStorage): Promise<void> {
    const { storage, checkpoints, ledger, blobs } = this;
    return bringChanges(sessionId, from, { storage, checkpoints, ledger, blobs, log: blobs.log });
  }

  pending(): readonly string[] {
    return this.ledger.files().map(({ path, sessions }) => `${path} ${sessions.join()}`);
  }
}

describe('sess-13 what a session has changed comes along to another storage', () => {
  test('what is pending and what can be restored, to the files of a folder that was renamed; what is of others stays', async () => {
    const base = temporaryFolder();
    const [before, now] = [join(base, 'old'), join(base, 'new')];
    mkdirSync(before);
    writeFileSync(join(before, 'a.txt'), 'one\ntwo\n');
    writeFileSync(join(before, 'b.bin'), 'a\0b');
    writeFileSync(join(before, 'c.txt'), 'one\n');
    const old = new WindowRig(join(base, 'storage', '1'));
    await old.change('mine', { [join(before, 'a.txt')]: 'one\nTWO\n', [join(before, 'b.bin')]: 'c\0d' });
    await old.change('other', { [join(before, 'c.txt')]: 'ONE\n' });
    renameSync(before, now);

    const from: OtherStorage = { path: old.storage, moved: [{ from: before, to: now }] };
    const window = new WindowRig(join(base, 'storage', '2'));
    await window.bring('mine', from);
    await window.bring('mine', from);
    expect(window.pending()).toEqual([`${join(now, 'a.txt')} mine`, `${join(now, 'b.bin')} mine`]);
    const again = new WindowRig(old.storage);
    await again.ledger.load();
    expect(readFileSync(join(pendingIn(old.storage), 'ledger.json'), 'utf8')).not.toContain('a.txt');
    expect(readFileSync(join(pendingIn(old.storage), 'ledger.json'), 'utf8')).toContain('c.txt');

    expect(await window.ledger.undoAll()).toEqual([]);
    expect([readFileSync(join(now, 'a.txt'), 'utf8'), readFileSync(join(now, 'b.bin'), 'utf8')]).toEqual(['one\ntwo\n', 'a\0b']);
    writeFileSync(join(now, 'a.txt'), 'one\nTWO\n');
    const report = await restoreBefore({ checkpoints: window.checkpoints, files: window.files, ask: () => Promise.resolve('keep') }, 'mine', 0);
    expect(report.restored).toContain(join(now, 'a.txt'));
    expect(readdirSync(checkpointsIn(old.storage))).toEqual(['other']);
  });

  test('what a program in a terminal has left, which is there once and beside what pends here', async () => {
    const base = temporaryFolder();
    const storage = join(base, 'storage');
    const [mine, theirs] = ['a.txt', 'b.txt'].map((name) => join(base, name));
    if (mine === undefined || theirs === undefined) throw new Error('There are two.');
    for (const path of [mine, theirs]) writeFileSync(path, 'one\n');
    const window = new WindowRig(storage);
    await window.change('other', { [mine]: 'ONE\n' });
    await new WindowRig(leftFor(storage, 'shared').path).change('shared', { [theirs]: 'two\n' });
    await bringLeft(storage, 'nothing', () => Promise.reject(new Error('There is nothing to bring.')));
    const bring = (): Promise<void> => bringLeft(storage, 'shared', (id, from) => window.bring(id, from));
    await bring();
    await bring();
    expect(window.pending()).toEqual([`${mine} other`, `${theirs} shared`]);
    expect(readdirSync(join(storage, 'terminal'))).toEqual([]);
    expect(await window.ledger.undo(theirs)).toEqual([]);
    expect(readFileSync(theirs, 'utf8')).toBe('one\n');
  });

  test('a file that was moved, with both of its places', async () => {
    const base = temporaryFolder();
    const [before, now] = [join(base, 'old'), join(base, 'new')];
    mkdirSync(before);
    writeFileSync(join(before, 'a.txt'), 'one\n');
    const old = new WindowRig(join(base, 'storage', '1'));
    await old.move('mine', join(before, 'a.txt'), join(before, 'b.txt'));
    renameSync(before, now);
    const window = new WindowRig(join(base, 'storage', '2'));
    await window.bring('mine', { path: old.storage, moved: [{ from: before, to: now }] });
    expect(window.ledger.files()).toMatchObject([{ path: join(now, 'b.txt'), movedFrom: join(now, 'a.txt') }]);
    expect(await window.ledger.undoAll()).toEqual([]);
    expect([readdirSync(now), readFileSync(join(now, 'a.txt'), 'utf8')]).toEqual([['a.txt'], 'one\n']);
  });

  test('a file that is under review here already stays as it is, and nothing to bring is no error', async () => {
    const base = temporaryFolder();
    const path = join(base, 'a.txt');
    writeFileSync(path, 'one\n');
    const old = new WindowRig(join(base, 'storage', '1'));
    await old.change('mine', { [path]: 'two\n' });
    const window = new WindowRig(join(base, 'storage', '2'));
    await window.change('here', { [path]: 'three\n' });
    await window.bring('mine', { path: old.storage, moved: [] });
    await window.bring('unknown', { path: join(base, 'nowhere'), moved: [] });
    expect(window.pending()).toEqual([`${path} here`]);
    expect(await window.ledger.undoAll()).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('two\n');
  });
});
