import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { type StreamedRecorder, createStreamedRecorder } from '../../../src/edits/streamed-recorder.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { blobFiles, Rig } from './rig.js';

/** A workspace whose files are changed bit by bit. */
class StreamRig extends Rig {
  readonly ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobFiles(), blobFiles().log), files: this.files, codec: textCodec });
  readonly recorder: StreamedRecorder = createStreamedRecorder({ checkpoints: this.checkpoints, ledger: this.ledger, files: this.files, log: this.log });

  hunks(): readonly (readonly [number, number, number])[] {
    return this.ledger.files().flatMap(({ hunks }) => hunks.map(({ line, count, removed }) => [line, count, removed.length] as const));
  }
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('changes that come bit by bit', () => {
  it('E-1: what the person typed meanwhile is theirs: undoing all takes back the rest only', async () => {
    const rig = new StreamRig();
    rig.write('a', '1\n2\n3\n');
    const record = await rig.recorder.begin({ sessionId: 's', messageIndex: 0 }, rig.path('a'));
    rig.write('a', 'mine\n1\ntwo\n3\n');
    await record.end(bytes('mine\n1\n2\n3\n'));
    expect(rig.hunks()).toEqual([[2, 1, 1]]);
    await rig.ledger.undo(rig.path('a'));
    expect(rig.read('a')).toBe('mine\n1\n2\n3\n');
    expect(rig.hunks()).toEqual([]);
  });

  it('E-1: hunks that pended before still do, although the file was looked at in between', async () => {
    const rig = new StreamRig();
    rig.write('a', '1\n2\n3\n4\n5\n');
    const first = await rig.recorder.begin({ sessionId: 's', messageIndex: 0 }, rig.path('a'));
    rig.write('a', 'one\n2\n3\n4\n5\n');
    await first.end(bytes('1\n2\n3\n4\n5\n'));
    const second = await rig.recorder.begin({ sessionId: 't', messageIndex: 0 }, rig.path('a'));
    rig.write('a', 'one\n2\n3\nfour\n5\n');
    await rig.ledger.refresh(rig.path('a'));
    await second.end(bytes('one\n2\n3\n4\n5\n'));
    expect(rig.hunks()).toEqual([
      [0, 1, 1],
      [3, 1, 1],
    ]);
    expect(rig.ledger.files()[0]?.sessions).toEqual(['s', 't']);
    await rig.ledger.undo(rig.path('a'));
    expect(rig.read('a')).toBe('1\n2\n3\n4\n5\n');
  });

  it('E-1: one that was taken back leaves nothing to review, and the turn can still be restored', async () => {
    const rig = new StreamRig();
    rig.write('a', '1\n2\n');
    const gone = await rig.recorder.begin({ sessionId: 's', messageIndex: 0 }, rig.path('a'));
    rig.write('a', '1\ntwo\n');
    rig.write('a', '1\n2\n');
    await gone.end();
    expect(rig.ledger.files()).toEqual([]);
    const record = await rig.recorder.begin({ sessionId: 's', messageIndex: 2 }, rig.path('a'));
    rig.write('a', '1\ntwo\n');
    await record.end(bytes('1\n2\n'));
    const { entries } = await rig.checkpoints.index('s');
    expect(entries.map(({ turn, before, after }) => [turn, before.kind, after?.kind])).toEqual([[2, 'file', 'file']]);
  });

  it('never stands in the way: what cannot be recorded is logged', async () => {
    const rig = new StreamRig();
    const failing = createStreamedRecorder({
      checkpoints: rig.checkpoints,
      ledger: rig.ledger,
      files: { look: () => Promise.reject(new Error('no disk')) },
      log: rig.log,
    });
    const record = await failing.begin({ sessionId: 's', messageIndex: 0 }, rig.path('a'));
    await record.end(bytes(''));
    expect(rig.ledger.files()).toEqual([]);
  });
});
