import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { textContent } from '../../../src/domain/model/message.js';
import type { AskedPermission } from '../../../src/domain/tool/asks.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { eventually } from '../../support/eventually.js';
import { reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { says } from '../../support/wording.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

function prompt({ asks }: AgentSession, revision: number): Promise<AskedPermission> {
  return eventually(() => {
    const [ask] = asks.waiting;
    if (ask?.kind !== 'permission' || ask.revision !== revision) throw new Error(`Prompt ${revision} is not open.`);
    return ask;
  });
}

test('a program answers a prompt with other arguments and a mode, not with one that only the user can confirm; what ran is stored', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  for (const [name, value] of Object.entries({ HOME: home, USERPROFILE: home, ANTHROPIC_API_KEY: 'sk-test' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  server.setScript((_request, n) => (n === 0 ? reply().toolCall('bash', { command: 'touch asked' }) : reply().text('Done.')));
  const open = (): ReturnType<typeof nodeHost> => nodeHost({ folder, storage, settings: { 'gnomon.anthropic.baseUrl': server.url }, log: new MemoryLog() });
  const first = await open();
  const session = await first.start();
  const { turn } = session.send([{ type: 'text', text: 'go' }]);
  const { callId, call } = await prompt(session, 1);
  expect(call).toEqual({ name: 'bash', input: { command: 'touch asked' } });
  const amendment = { type: 'input' as const, input: { command: 'touch answered', description: 'Make it' } };
  session.answer(callId, { type: 'allow', amendment, updates: [{ type: 'setMode', mode: 'bypassPermissions' }] }, 1);
  expect((await prompt(session, 2)).problem).toBe(says('modeNotByAnswer', 'bypassPermissions'));
  session.answer(callId, { type: 'allow', amendment, updates: [{ type: 'setMode', mode: 'acceptEdits' }] }, 2);
  expect((await turn).end).toBe('end_turn');
  expect([session.mode, existsSync(join(folder, 'asked')), existsSync(join(folder, 'answered'))]).toEqual(['acceptEdits', false, true]);
  expect(server.requests.at(-1)?.raw).toContain('The user changed this call before allowing it.');
  await session.close();
  await first.close();

  const second = await open();
  const again = await second.reopen(session.id);
  const told = again.messages.flatMap((message) => (message.role === 'tool_result' ? [textContent(message)] : []));
  expect(told).toEqual([expect.stringContaining('"command":"touch answered","description":"Make it"')]);
  await again.close();
  await second.close();
});
