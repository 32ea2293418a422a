import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangeRecorder, OpenRecord } from '../../../src/domain/workspace/changes.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { blobFiles, Rig } from './rig.js';

/** A workspace in which several sessions change files. */
class SharedRig extends Rig {
  readonly ledger: Ledger;
  private readonly recorder: ChangeRecorder;

  constructor() {
    super();
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, blobs.log), files: this.files, codec: textCodec });
    this.recorder = createChangeRecorder({ checkpoints: this.checkpoints, ledger: this.ledger, files: this.files, log: this.log });
  }

  /** A call of a session that is to change files begins. */
  begin(sessionId: string, ...names: readonly string[]): Promise<OpenRecord> {
    const changes = names.map((name) => ({ action: 'create' as const, path: this.path(name), text: '' }));
    const plan = { tool: 'write', subject: '', args: {}, accesses: [], preview: { kind: 'none' as const }, changes };
    return this.recorder.begin({ sessionId, callId: sessionId, messageIndex: 0, plan });
  }

  /** The files that a session has changed, by what is kept for undo. */
  async keptOf(sessionId: string): Promise<readonly string[]> {
    return (await this.checkpoints.index(sessionId)).entries.map(({ path }) => path.slice(this.root.length + 1));
  }

  reviewed(): readonly (readonly [string, readonly string[]])[] {
    return this.ledger.files().map(({ path, sessions }) => [path.slice(this.root.length + 1), sessions]);
  }
}

test('a call of another session for the same file begins when the first one has ended; refused then, nothing is taken for its doing', async () => {
  const rig = new SharedRig();
  rig.write('a', 'old\n');
  const first = await rig.begin('one', 'a');
  const begun = rig.begin('two', 'b', 'a');
  // Takes longer than looking at the files would take that the second call is to change.
  await (await rig.begin('three', 'c')).end({ failed: false });
  rig.write('a', 'of one\n');
  await first.end({ failed: false });
  await (await begun).end({ failed: false });
  expect([await rig.keptOf('one'), await rig.keptOf('two'), rig.reviewed()]).toEqual([['a'], [], [['a', ['one']]]]);
});

test('each of two calls for one file has what it made of it, and what was there before', async () => {
  const rig = new SharedRig();
  rig.write('a', 'old\n');
  await Promise.all(
    ['one', 'two'].map(async (session) => {
      const record = await rig.begin(session, 'a');
      rig.write('a', `${rig.read('a') ?? ''}${session}\n`);
      await record.end({ failed: false });
    }),
  );
  const before = await Promise.all(
    ['one', 'two'].map(async (session) => {
      const [entry] = (await rig.checkpoints.index(session)).entries;
      return entry?.before.kind === 'file' ? Buffer.from((await rig.checkpoints.content(session, entry.before.hash)) ?? []).toString() : undefined;
    }),
  );
  expect(before).toEqual(['old\n', 'old\none\n']);
  expect(rig.reviewed()).toEqual([['a', ['one', 'two']]]);
});

test('calls for several of the same files do not wait for each other for ever, and those for other files for nobody', async () => {
  const rig = new SharedRig();
  const first = await rig.begin('one', 'a', 'b');
  const others = [rig.begin('two', 'b', 'c'), rig.begin('three', 'c', 'a')];
  await (await rig.begin('four', 'd')).end({ failed: false });
  await first.end({ failed: false });
  await Promise.all(others.map(async (each) => (await each).end({ failed: false })));
  expect(rig.reviewed()).toEqual([]);
});
