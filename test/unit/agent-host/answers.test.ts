import { existsSync, writeFileSync } from 'node:fs';
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
import { HAS_BUBBLEWRAP } from '../node/sandbox/rig.js';
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

test.runIf(HAS_BUBBLEWRAP)('what an answer denies one session, its commands do not find in the sandbox either, and those of another do', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  for (const [name, value] of Object.entries({ HOME: home, USERPROFILE: home, ANTHROPIC_API_KEY: 'sk-test' })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(folder, 'plan.txt'), 'the canary sings\n');
  const settings = { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.commands.runSandboxed': true };
  const host = await nodeHost({ folder, storage, settings, log: new MemoryLog() });
  /** A name that is made while the command runs, so that nothing but the sandbox can tell what it reads. */
  const look = { command: `awk 'BEGIN { name = "pl" "an.txt"; while ((getline line < name) > 0) print line; system("cat pl" "an.txt") }'` };
  server.setScript(({ raw }) => {
    const calls = raw.split('"type":"tool_result"').length - 1;
    if (raw.includes('One question') && calls === 0) return reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' });
    return calls < (raw.includes('One question') ? 2 : 1) ? reply().toolCall('bash', look) : reply().text('Done.');
  });
  const [restricted, other] = [await host.start(), await host.start()];
  const turn = restricted.send([{ type: 'text', text: 'One question' }]).turn;
  const { callId } = await prompt(restricted, 1);
  restricted.answer(callId, { type: 'allow', updates: [{ type: 'addRules', effect: 'deny', rules: ['Read(plan.txt)'], scope: 'session' }] }, 1);
  expect((await turn).end).toBe('end_turn');
  expect((await other.send([{ type: 'text', text: 'None' }]).turn).end).toBe('end_turn');
  const told = [restricted, other].map(({ messages }) =>
    messages.flatMap((message) => (message.role === 'tool_result' ? [textContent(message)] : [])).join('\n'),
  );
  expect(told[0]).toContain('Permission denied');
  expect(told.map((text) => text.includes('the canary sings'))).toEqual([false, true]);
  await Promise.all([restricted.close(), other.close()]);
  await host.close();
});
