import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../src/edits/ledger.js';
import { LedgerStore } from '../../../../src/edits/ledger-store.js';
import { textCodec } from '../../../../src/edits/text-work.js';
import { showPending } from '../../../../src/vscode/composition/pending-review.js';
import { pendingIn } from '../../../../src/agent-host/changes/bring-changes.js';
import { createDiskFiles } from '../../../../src/agent-host/changes/disk-files.js';
import { blobFiles } from '../../edits/rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('C-7 changes that pend when a window opens', () => {
  /** How often the review is loaded for a storage. */
  async function loads(storage: string): Promise<number> {
    let count = 0;
    await showPending(storage, () => Promise.reject(new Error(`That is load ${(count += 1)}.`)), blobFiles().log);
    return count;
  }

  it('have the review loaded, and nothing is when there are none', async () => {
    const [storage, folder] = [temporaryFolder(), temporaryFolder()];
    expect(await loads(storage)).toBe(0);
    const blobs = blobFiles();
    const files = createDiskFiles();
    const ledger = new Ledger({ store: new LedgerStore(pendingIn(storage), blobs, blobs.log), files, codec: textCodec });
    const path = join(folder, 'a.txt');
    const before = await files.look(path);
    writeFileSync(path, 'new\n');
    await ledger.changed('s', [{ path, before, after: await files.look(path) }]);
    expect(await loads(storage)).toBe(1);
    await ledger.keepAll();
    expect(await loads(storage)).toBe(0);
  });

  it('have it loaded when the list of them is damaged, and a failure is logged', async () => {
    const storage = temporaryFolder();
    mkdirSync(pendingIn(storage));
    writeFileSync(join(pendingIn(storage), 'ledger.json'), '{');
    const { log } = blobFiles();
    await showPending(storage, () => Promise.reject(new Error('It cannot be read.')), log);
    expect(log.lines).toEqual(['The changes to review could not be shown']);
  });
});
