import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskFiles } from '../../src/agent-host/changes/disk-files.js';
import { Checkpoints } from '../../src/edits/checkpoints.js';
import { LedgerStore } from '../../src/edits/ledger-store.js';
import { Ledger } from '../../src/edits/ledger.js';
import { textCodec } from '../../src/edits/text-work.js';
import { createNodeFileLayer } from '../../src/node/files/node-file-layer.js';
import { atomicWrite } from '../../src/session/atomic-write.js';
import { RestoreFiles } from '../../src/vscode/edits/restore-files.js';

describe('restores', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gnomon-restore-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('C-8: two that are undone in quick succession are those of two chats, the latest first', async () => {
    const log = { debug: fail, info: fail, warn: fail, error: fail };
    const layer = createNodeFileLayer();
    const blobs = { files: layer, save: (path: string, bytes: Uint8Array) => atomicWrite({ files: layer, log, pid: process.pid }, path, [bytes]) };
    const files = createDiskFiles();
    const checkpoints = new Checkpoints({ ...blobs, log, folder: join(folder, 'checkpoints'), removeFolder: (path) => rmdir(path) });
    const ledger = new Ledger({ store: new LedgerStore(join(folder, 'review'), blobs, log), files, codec: textCodec });
    const restore = new RestoreFiles({ checkpoints, ledger, files, log });
    const chats = ['one', 'two'];
    const pathOf = (chat: string): string => join(folder, `${chat}.txt`);
    const read = (): readonly string[] => chats.map((chat) => readFileSync(pathOf(chat), 'utf8'));
    for (const chat of chats) {
      writeFileSync(pathOf(chat), 'before\n');
      const look = async () => [{ path: pathOf(chat), snapshot: await files.look(pathOf(chat)) }];
      await checkpoints.begin({ sessionId: chat, messageIndex: 0 }, await look());
      writeFileSync(pathOf(chat), 'after\n');
      await checkpoints.settle({ sessionId: chat, messageIndex: 0 }, await look());
      await restore.before(chat, 0);
    }
    assert.deepEqual(read(), ['before\n', 'before\n']);
    await Promise.all([restore.redo(), restore.redo()]);
    assert.deepEqual(read(), ['after\n', 'after\n']);
  });
});

function fail(...words: readonly unknown[]): void {
  assert.fail(words.join(' '));
}
