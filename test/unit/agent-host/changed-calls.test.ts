import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { itemsOf } from '../../../src/chat/projection/transcript-items.js';
import type { AskedPermission } from '../../../src/domain/tool/asks.js';
import type { ApprovalAnswer } from '../../../src/domain/tool/permission.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { lastToolResults, type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { type NodeHost, nodeHost } from './node-host.js';

let server: ModelServer;
let home: string;
let folder: string;
let storage: string;

beforeEach(async () => {
  server = await startModelServer();
  [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const open = (): Promise<NodeHost> => nodeHost({ folder, storage, settings: { 'gnomon.anthropic.baseUrl': server.url }, log: new MemoryLog() });

/** Has a hook give other arguments to calls whose arguments have some words in them. */
function rewriting(words: string, input: object): void {
  const script = join(home, 'hook.mjs');
  const answer = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: input } });
  const code = `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => {
    if (JSON.stringify(JSON.parse(text).tool_input).includes(${JSON.stringify(words)})) console.log(${JSON.stringify(answer)});
  });`;
  writeFileSync(script, code);
  const settings = join(home, '.claude', 'settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `"${process.execPath}" "${script}"` }] }] } }));
}

/** The prompt of a number, once it is there. */
async function prompt(session: AgentSession, revision: number): Promise<AskedPermission> {
  const find = (): AskedPermission | undefined =>
    session.asks.waiting.find((ask) => ask.kind === 'permission' && ask.revision === revision) as AskedPermission | undefined;
  await expect.poll(find).toBeDefined();
  const found = find();
  if (found === undefined) throw new Error(`There is no prompt ${revision}.`);
  return found;
}

/** Has the model make one call. */
function calling(tool: string, input: object): void {
  server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall(tool, input) : reply().text('Done.')));
}

const withInput = (input: object): ApprovalAnswer => ({ type: 'allow', amendment: { type: 'input', input } });

/** What is shown of the only call of a stored session. */
async function shownAgain(host: NodeHost, id: string): Promise<object> {
  const stored = await host.store.open(id);
  const calls = itemsOf(stored.session.messages, stored.meta).flatMap((item) =>
    item.kind === 'answer' ? item.blocks.flatMap((block) => ('call' in block ? [block.call] : [])) : [],
  );
  await stored.recorder.close();
  expect(calls).toHaveLength(1);
  return calls[0] ?? {};
}

const COMMANDS = { tool: 'bash', asked: { command: 'touch asked' }, answered: { command: 'touch answered' }, made: 'answered' };
const FILES = {
  tool: 'write',
  asked: { file_path: 'asked', content: 'asked\n' },
  answered: { file_path: 'answered', content: 'answered\n' },
  made: 'answered',
};

describe.each([COMMANDS, FILES])('a call of $tool that was answered with other arguments', ({ tool, asked, answered, made }) => {
  it('is shown as what ran when the chat is opened again', async () => {
    calling(tool, asked);
    const host = await open();
    const session = await host.start();
    const { turn } = session.send([{ type: 'text', text: 'go' }]);
    const ask = await prompt(session, 1);
    session.answer(ask.callId, withInput(answered), 1);
    await turn;
    expect([existsSync(join(folder, made)), existsSync(join(folder, 'asked'))]).toEqual([true, false]);
    await session.close();
    expect(await shownAgain(host, session.id)).toMatchObject({ subject: expect.stringContaining('answered') as string, why: 'You changed it and allowed it.' });
    await host.close();
  });

  it('and that a hook makes another one of is asked about again, as what the hook made, and is not said to be the user’s', async () => {
    const hooked = JSON.parse(JSON.stringify(answered).replaceAll('answered', 'of-the-hook')) as object;
    rewriting('answered', hooked);
    calling(tool, asked);
    const host = await open();
    const session = await host.start();
    const { turn } = session.send([{ type: 'text', text: 'go' }]);
    const ask = await prompt(session, 1);
    session.answer(ask.callId, withInput(answered), 1);
    const second = await prompt(session, 2);
    expect(second.plan.subject).toContain('of-the-hook');
    expect(second.rewrittenBy).toMatch(/PreToolUse/);
    expect(existsSync(join(folder, 'of-the-hook'))).toBe(false);
    session.answer(ask.callId, { type: 'allow' }, 2);
    await turn;
    expect(existsSync(join(folder, 'of-the-hook'))).toBe(true);
    const told = server.requests.at(-1)?.raw ?? '';
    expect(told).toContain('changed this call before it ran');
    expect(told).not.toContain('The user changed this call');
    await session.close();
    expect(await shownAgain(host, session.id)).toMatchObject({ subject: expect.stringContaining('of-the-hook') as string, why: 'A hook changed it.' });
    await host.close();
  });
});

it('a call that a hook has changed from the start is shown as what ran when the chat is opened again', async () => {
  rewriting('asked', { command: 'touch of-the-hook' });
  calling('bash', { command: 'touch asked' });
  const host = await open();
  const session = await host.start();
  const { turn } = session.send([{ type: 'text', text: 'go' }]);
  const ask = await prompt(session, 1);
  session.answer(ask.callId, { type: 'allow' }, 1);
  await turn;
  await session.close();
  expect(await shownAgain(host, session.id)).toMatchObject({ subject: 'touch of-the-hook' });
  await host.close();
});
