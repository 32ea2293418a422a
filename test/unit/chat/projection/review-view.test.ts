import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../src/edits/ledger.js';
import { LedgerStore } from '../../../../src/edits/ledger-store.js';
import { createDiskFiles } from '../../../../src/agent-host/changes/disk-files.js';
import type { ViewChangedFile } from '../../../../src/protocol/view-state.js';
import { ReviewProjector } from '../../../../src/chat/projection/review-view.js';
import { textCodec } from '../../../../src/edits/text-work.js';
import { blobFiles, Rig } from '../../edits/rig.js';

describe('ReviewProjector', () => {
  it('C-7: tells the files of its session, with counts, and only when they differ', async () => {
    const rig = new Rig();
    const blobs = blobFiles();
    const ledger = new Ledger({ store: new LedgerStore(rig.storage, blobs, blobs.log), files: createDiskFiles(), codec: textCodec });
    const pushed: (readonly ViewChangedFile[])[] = [];
    const projector = new ReviewProjector(
      ledger,
      's',
      (path) => path.slice(rig.root.length + 1),
      (files) => pushed.push(files),
    );
    const change = async (session: string, name: string, text: string | undefined): Promise<void> => {
      const before = await rig.files.look(rig.path(name));
      rig.write(name, text);
      await ledger.changed(session, [{ path: rig.path(name), before, after: await rig.files.look(rig.path(name)) }]);
    };
    rig.write('a', '1\n2\n');
    rig.write('gone', '1\n');
    await change('s', 'a', '1\ntwo\n3\n');
    await change('other', 'b', 'x\n');
    await change('s', 'gone', undefined);
    await change('s', 'made', 'm\0');
    expect(pushed).toHaveLength(3);
    expect(pushed.at(-1)).toEqual([
      { path: rig.path('a'), display: 'a', status: 'changed', added: 2, removed: 1 },
      { path: rig.path('gone'), display: 'gone', status: 'deleted', added: 0, removed: 1 },
      { path: rig.path('made'), display: 'made', status: 'created' },
    ]);
    await ledger.keepAll();
    expect(pushed.at(-1)).toEqual([]);
    projector.dispose();
    await change('s', 'a', 'x');
    expect(pushed.at(-1)).toEqual([]);
  });
});
