import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WorkspaceEnvironment } from '../../../src/agent-host/environment.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';

const SECOND = 1_000;

let folder: string;
let environment: WorkspaceEnvironment;
beforeEach(() => {
  folder = temporaryFolder();
  const workspace = createWorkspace(() => [{ name: 'ws', path: folder }], '/nowhere');
  environment = new WorkspaceEnvironment({ workspace, trusted: () => false, open: () => [], log: new MemoryLog() });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

function contents(): string | undefined {
  return environment.facts().find(({ label }) => label === 'Contents')?.value;
}

/** What is known when nothing more is under way. */
async function settled(): Promise<string | undefined> {
  vi.useRealTimers();
  await environment.refresh();
  return contents();
}

test('a look that can wait is done at once where nothing is known yet', async () => {
  writeFileSync(join(folder, 'a'), '');
  environment.refreshSoon();
  vi.useRealTimers();
  await eventually(() => expect(contents()).toBe('a'));
});

test('a look that can wait is done when nothing has asked for it for a second, and no turn begins', async () => {
  await environment.refresh();
  const looked = vi.spyOn(environment, 'refresh');
  for (let time = 0; time < 5; time += 1) {
    environment.refreshSoon();
    vi.advanceTimersByTime(SECOND - 1);
    environment.putOff();
    vi.advanceTimersByTime(SECOND - 1);
  }
  expect(looked).not.toHaveBeenCalled();
  writeFileSync(join(folder, 'b'), '');
  vi.advanceTimersByTime(1);
  expect(looked).toHaveBeenCalledOnce();
  // Nothing waits any more: a turn that begins brings no look.
  environment.putOff();
  vi.advanceTimersByTime(SECOND);
  expect(looked).toHaveBeenCalledOnce();
  expect(await settled()).toBe('b');
});

test('a look at once takes the place of one that waits, and nothing is looked at when the window is gone', async () => {
  await environment.refresh();
  environment.refreshSoon();
  await environment.refresh();
  const looked = vi.spyOn(environment, 'refresh');
  vi.advanceTimersByTime(SECOND);
  environment.refreshSoon();
  environment.dispose();
  vi.advanceTimersByTime(SECOND);
  expect(looked).not.toHaveBeenCalled();
});
