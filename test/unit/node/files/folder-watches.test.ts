import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderWatches } from '../../../../src/node/files/folder-watches.js';
import { eventually } from '../../../support/eventually.js';

let root: string;
let changes: number;
let watches: FolderWatches;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gnomon-watches-'));
  changes = 0;
});
afterEach(async () => {
  watches.dispose();
  await rm(root, { recursive: true, force: true });
});

function start(depth = 4): void {
  watches = new FolderWatches([{ folder: join(root, 'agents'), depth }], () => (changes += 1));
}

/** Waits until something was noticed since a number of changes. */
async function noticed(work: () => unknown): Promise<void> {
  const before = changes;
  await work();
  await eventually(() => expect(changes).toBeGreaterThan(before));
}

it('S-45: notices files that are made, changed, and deleted in folders that are there, and in new ones within them', async () => {
  await mkdir(join(root, 'agents'));
  await noticed(start);
  const file = join(root, 'agents', 'a.md');
  await noticed(() => writeFile(file, '1'));
  await noticed(() => writeFile(file, '2'));
  await noticed(() => rm(file));
  await noticed(() => mkdir(join(root, 'agents', 'deep', 'deeper'), { recursive: true }));
  // The change that follows is of the innermost folder, once it is watched.
  await eventually(async () => {
    await writeFile(join(root, 'agents', 'deep', 'deeper', `${changes}.md`), '');
    const before = changes;
    await writeFile(join(root, 'agents', 'deep', 'deeper', 'last.md'), String(before));
    await eventually(() => expect(changes).toBeGreaterThan(before));
  });
});

it('tells of what was in a folder before it was watched, when it is told that it was made', async () => {
  start();
  await mkdir(join(root, 'agents', 'team'), { recursive: true });
  await writeFile(join(root, 'agents', 'team', 'a.md'), '');
  await noticed(() => {
    watches.refresh();
  });
});

it('is not woken by files that do not matter', async () => {
  await mkdir(join(root, 'agents'));
  watches = new FolderWatches([{ folder: join(root, 'agents'), depth: 0, names: new Set(['settings.json']) }], () => (changes += 1));
  await eventually(() => expect(changes).toBe(1));
  for (let index = 0; index < 20; index += 1) await writeFile(join(root, 'agents', 'history.jsonl'), String(index));
  await noticed(() => writeFile(join(root, 'agents', 'settings.json'), '{}'));
  // At most those of the one file: made, changed, closed.
  expect(changes).toBeLessThan(15);
});

it('goes on when a folder goes away and comes back', async () => {
  await mkdir(join(root, 'agents'));
  await noticed(() => {
    start(0);
  });
  await noticed(() => rm(join(root, 'agents'), { recursive: true }));
  await mkdir(join(root, 'agents'));
  await noticed(() => {
    watches.refresh();
  });
  await noticed(() => writeFile(join(root, 'agents', 'a.md'), ''));
});

it('watches a folder that takes the place of a file', async () => {
  const place = join(root, 'agents');
  await writeFile(place, '');
  start();
  await rm(place);
  await mkdir(place);
  await noticed(() => watches.refresh());
  await noticed(() => writeFile(join(place, 'a.md'), '1'));
});
