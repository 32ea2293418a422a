import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

test('what files deny counts from the first call on, before anything about them changes', async () => {
  const [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(folder, '.gnomon'));
  writeFileSync(join(folder, '.gnomon', 'settings.json'), JSON.stringify({ permissions: { deny: ['Edit(locked/**)'] } }));
  const node = await nodeHost({ folder, storage, log: new MemoryLog() });
  onTestFinished(() => node.close());
  const { gate } = node.host.ground.forSession({ id: 's', questions: { ask: () => Promise.resolve({ type: 'dismissed' }) }, messages: () => [] });
  const target = join(folder, 'locked', 'a.txt');
  const plan: Plan = { tool: 'edit', subject: target, args: {}, accesses: [{ kind: 'write', target }], preview: { kind: 'none' }, changes: [] };
  expect(await gate.judge({ sessionId: 's', callId: 'c', mode: 'bypassPermissions', plan }, new AbortController().signal)).toMatchObject({
    type: 'deny',
    denial: { kind: 'rule', rule: 'Edit(locked/**)' },
  });
});
