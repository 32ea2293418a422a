import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createWriteLock } from '../../../../src/customization/write-lock.js';
import { createNodePorts } from '../../../../src/node/host/node-ports.js';
import { MemoryLog } from '../../engine/rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let changes = 0;

beforeEach(() => {
  folder = temporaryFolder();
  changes = 0;
  const [storage, log] = [temporaryFolder(), new MemoryLog()];
  const lock = createWriteLock(join(storage, 'locks'), log);
  const ports = createNodePorts({ folders: [folder], trusted: true, storage, settings: {}, defaults: {}, log, lock });
  const watched = { files: [join(folder, '.gnomon', 'settings.json')], folders: [{ folder: join(folder, '.claude', 'agents'), pattern: '*.md' }] };
  const watching = ports.keepWatching(
    () => watched,
    () => (changes += 1),
  );
  onTestFinished(() => watching.dispose());
});

function file(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, String(changes));
}

/** Does something, and waits until it was noticed. */
async function noticed(what: () => void): Promise<void> {
  // What came of the step before is over when nothing more was noticed between two looks.
  let before = -1;
  const settled = (): boolean => {
    const last = before;
    before = changes;
    return last === changes;
  };
  await expect.poll(settled, { interval: 100 }).toBe(true);
  what();
  await expect.poll(() => changes).toBeGreaterThan(before);
}

it('folders that are made later, removed and made again, or replaced are seen, with what is in them from then on', async () => {
  const agents = join(folder, '.claude', 'agents');
  await noticed(() => file(join(agents, 'a.md')));
  await noticed(() => file(join(agents, 'b.md')));
  await noticed(() => rmSync(agents, { recursive: true }));
  await noticed(() => file(join(agents, 'c.md')));
  await noticed(() => rmSync(join(folder, '.claude'), { recursive: true }));
  await noticed(() => file(join(agents, 'd.md')));
  await noticed(() => writeFileSync(join(agents, 'd.md'), 'changed'));
  const other = join(folder, 'other');
  file(join(other, 'e.md'));
  await noticed(() => {
    renameSync(agents, join(folder, 'away'));
    renameSync(other, agents);
  });
  await noticed(() => writeFileSync(join(agents, 'e.md'), 'changed'));
});

it('a file whose folder is made later, or again, is seen', async () => {
  const settings = join(folder, '.gnomon', 'settings.json');
  await noticed(() => file(settings));
  await noticed(() => rmSync(dirname(settings), { recursive: true }));
  await noticed(() => file(settings));
  await noticed(() => writeFileSync(settings, '{}'));
});
