import { join } from 'node:path';
import type { FileChange } from '../../../src/domain/workspace/documents.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { sha256 } from '../../../src/node/files/sha256.js';
import { blobFiles, Rig } from './rig.js';

/** A workspace whose agent deletes, moves, and writes files, each with a call of its own. */
export class MovingRig extends Rig {
  ledger = this.open();
  turn = 0;

  open(): Ledger {
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, blobs.log), files: this.files, codec: textCodec });
    return this.ledger;
  }

  async delete(name: string): Promise<void> {
    await this.run({ action: 'delete', path: this.path(name), baseHash: this.hash(name) });
  }

  async move(from: string, to: string, text = this.read(from) ?? ''): Promise<void> {
    await this.run({ action: 'modify', path: this.path(to), from: this.path(from), baseHash: this.hash(from), text });
  }

  async put(name: string, text: string): Promise<void> {
    const path = this.path(name);
    await this.run(this.read(name) === undefined ? { action: 'create', path, text } : { action: 'modify', path, baseHash: this.hash(name), text });
  }

  /** What waits to be kept or undone. */
  pending(): string[] {
    const short = (path: string): string => path.slice(this.root.length + 1);
    return this.ledger.files().map(({ path, movedFrom, created, deleted, lines, hunks }) => {
      const how = deleted ? 'deleted' : created ? 'created' : 'changed';
      const from = movedFrom === undefined ? '' : `${short(movedFrom)} → `;
      return `${how} ${from}${short(path)} +${lines?.added ?? '?'} -${lines?.removed ?? '?'} ${hunks.length}`;
    });
  }

  all(...names: readonly string[]): (string | undefined)[] {
    return names.map((name) => this.read(name));
  }

  private async run(change: FileChange): Promise<void> {
    const { signal } = new AbortController();
    const recorder = createChangeRecorder({ checkpoints: this.checkpoints, ledger: this.ledger, files: this.files, log: this.log });
    const plan = { tool: 'apply_patch', subject: '', args: {}, accesses: [], preview: { kind: 'none' as const }, changes: [change] };
    const record = await recorder.begin({ sessionId: 's', callId: 'c', messageIndex: this.turn, plan });
    const documents = createDiskDocuments();
    // A call that fails changes nothing, and is recorded all the same.
    const made = change.action === 'delete' ? documents.delete(change, signal) : documents.apply(change, signal);
    await made.then(
      () => undefined,
      () => undefined,
    );
    await record.end({ failed: false });
  }

  private hash(name: string): string {
    return sha256(Buffer.from(this.read(name) ?? ''));
  }
}
