import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { httpError, lastToolResults, reply, resultText } from '../../support/model-server/index.js';
import { listIn } from '../../support/protocol-messages.js';
import { Conversation, type Message, ofType, outcomes, type Rig } from './rig.js';

/** Scenarios by their names: each drives Gnomon’s program through the official Agent SDK, and checks what came of it. */
export const SCENARIOS: Readonly<Record<string, (rig: Rig) => Promise<void>>> = {
  'a text: init first, one session, one result': async (rig) => {
    rig.says('Hello', ' there.');
    const messages = await rig.all('hi');
    assert.deepEqual(
      messages.map(({ type, subtype }) => [type, subtype]),
      [
        ['system', 'init'],
        ['assistant', undefined],
        ['result', 'success'],
      ],
    );
    assert.equal(new Set(messages.map(({ session_id: id }) => id)).size, 1);
    assert.deepEqual(outcomes(messages), ['Hello there.']);
  },

  'messages as they come: each has its result, and the second knows the first': async (rig) => {
    rig.echoes();
    const said = new Conversation();
    said.say('one');
    const messages: Message[] = [];
    for await (const message of rig.query(said)) {
      messages.push(message);
      if (message.type !== 'result') continue;
      if (outcomes(messages).length === 1) said.say('two');
      else said.end();
    }
    assert.deepEqual(outcomes(messages), ['You said one.', 'You said two.']);
    assert.equal(rig.server.requests[1]?.body.messages.length, 3);
  },

  'pieces of an answer make up the answer': async (rig) => {
    rig.says('One ', 'two ', 'three.');
    const messages = await rig.all('hi', { includePartialMessages: true });
    const deltas = ofType(messages, 'stream_event').map(({ event }) => (event as Message)['delta'] as { text?: string } | undefined);
    assert.equal(deltas.map((delta) => delta?.text ?? '').join(''), 'One two three.');
    assert.deepEqual(outcomes(messages), ['One two three.']);
  },

  'a tool that canUseTool allows': async (rig) => {
    rig.writes();
    const asked: unknown[] = [];
    const canUseTool = (name: string, input: object): Promise<object> => {
      asked.push(name, input);
      return Promise.resolve({ behavior: 'allow', updatedInput: input });
    };
    assert.deepEqual(outcomes(await rig.all('Make it', { canUseTool })), ['Done.']);
    assert.deepEqual(asked, ['Write', { file_path: rig.inFolder('made.txt'), content: 'made\n' }]);
    assert.equal(readFileSync(rig.inFolder('made.txt'), 'utf8'), 'made\n');
  },

  'a tool that canUseTool denies, with words for the model': async (rig) => {
    rig.writes();
    const messages = await rig.all('Make it', { canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'Not on a Friday.' }) });
    assert.deepEqual(outcomes(messages), ['Done.']);
    assert.equal(existsSync(rig.inFolder('made.txt')), false);
    assert.match(told(rig), /Not on a Friday\./);
    assert.equal(listIn(ofType(messages, 'result')[0], 'permission_denials')[0]?.['tool_name'], 'Write');
  },

  'a tool that canUseTool allows with other arguments': async (rig) => {
    rig.writes();
    const updatedInput = { file_path: rig.inFolder('other.txt'), content: 'other\n' };
    await rig.all('Make it', { canUseTool: () => Promise.resolve({ behavior: 'allow', updatedInput }) });
    assert.deepEqual([existsSync(rig.inFolder('made.txt')), readFileSync(rig.inFolder('other.txt'), 'utf8')], [false, 'other\n']);
  },

  'a denial that stops the turn': async (rig) => {
    rig.writes();
    const { messages } = await rig.ended('Make it', { canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'Stop.', interrupt: true }) });
    assert.deepEqual(outcomes(messages), ['error_during_execution']);
    assert.equal(rig.server.requests.length, 1);
  },

  'a hook allows what would be asked about': async (rig) => {
    rig.writes();
    await rig.all('Make it', { hooks: deciding('allow') });
    assert.equal(existsSync(rig.inFolder('made.txt')), true);
  },

  'a hook denies what the mode allows': async (rig) => {
    rig.writes();
    await rig.all('Make it', { permissionMode: 'acceptEdits', hooks: deciding('deny') });
    assert.equal(existsSync(rig.inFolder('made.txt')), false);
    assert.match(told(rig), /The hook says so\./);
  },

  'a hook has the program asked about what the mode allows': async (rig) => {
    rig.writes();
    let asked = 0;
    const canUseTool = (_: string, input: object): Promise<object> => {
      asked += 1;
      return Promise.resolve({ behavior: 'allow', updatedInput: input });
    };
    await rig.all('Make it', { permissionMode: 'acceptEdits', hooks: deciding('ask'), canUseTool });
    assert.deepEqual([asked, existsSync(rig.inFolder('made.txt'))], [1, true]);
  },

  'a hook that fails blocks the call where it says so, and not where it says otherwise': async (rig) => {
    const failing = (onFailure: string): object => ({ PreToolUse: [{ hooks: [() => Promise.reject(new Error('The hook is broken.'))], onFailure }] });
    rig.writes();
    await rig.all('Make it', { permissionMode: 'acceptEdits', hooks: failing('block') });
    assert.equal(existsSync(rig.inFolder('made.txt')), false);
    rig.writes();
    await rig.all('Make it', { permissionMode: 'acceptEdits', hooks: failing('continue') });
    assert.equal(existsSync(rig.inFolder('made.txt')), true);
  },

  'a tool of a server within the program, from the first message on': async (rig) => {
    rig.calls('mcp__sums__add', { a: 1, b: 2 });
    const add = rig.sdk.tool('add', 'Adds.', { a: z.number(), b: z.number() }, ({ a, b }: { a: number; b: number }) =>
      Promise.resolve({ content: [{ type: 'text', text: `the sum is ${a + b}` }] }),
    );
    const sums = rig.sdk.createSdkMcpServer({ name: 'sums', version: '1.0.0', tools: [add] });
    const messages = await rig.all('Add them', { mcpServers: { sums }, allowedTools: ['mcp__sums__add'] });
    assert.deepEqual(outcomes(messages), ['Done.']);
    assert.match(told(rig), /the sum is 3/);
  },

  'servers that are sent with initialize': async (rig) => {
    rig.says('Fine.');
    const { messages, error } = await rig.ended('hi', { mcpServers: { mine: { command: 'no-such-program' } }, mcpServersDelivery: 'initialize' });
    assert.equal(error, '');
    assert.deepEqual(
      listIn(messages[0], 'mcp_servers').map(({ name }) => name),
      ['mine'],
    );
  },

  'the model is set': async (rig) => {
    rig.says('Fine.');
    const query = rig.query('hi');
    await query.setModel('anthropic/claude-haiku-4-5');
    const messages: Message[] = [];
    await rest(query, messages);
    assert.deepEqual(outcomes(messages), ['Fine.']);
    assert.equal(rig.server.requests.at(-1)?.body.model, 'claude-haiku-4-5');
  },

  'the mode is set, which tells the one that is in effect and counts for the next call': async (rig) => {
    rig.writes();
    const said = new Conversation();
    const query = rig.query(said, { canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'No.' }) });
    assert.equal(modeIn(await query.setPermissionMode('auto')), 'default');
    await assert.rejects(query.setPermissionMode('bypassPermissions'), /allow-dangerously-skip-permissions/);
    assert.equal(modeIn(await query.setPermissionMode('acceptEdits')), 'acceptEdits');
    said.say('Make it');
    for await (const message of query) if (message.type === 'result') said.end();
    assert.equal(existsSync(rig.inFolder('made.txt')), true);
  },

  'an interrupt in the middle of a command: a result at once, and the command is gone': async (rig) => {
    rig.calls('bash', { command: 'echo $$ > pid; sleep 300' });
    const said = new Conversation();
    said.say('Run it');
    const query = rig.query(said, { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true });
    const messages: Message[] = [];
    // The SDK throws what a failed result says, once the program has ended.
    const over = assert.rejects(
      rest(query, messages, () => said.end()),
      /It was stopped\./,
    );
    await until(() => existsSync(rig.inFolder('pid')) && readFileSync(rig.inFolder('pid'), 'utf8').trim() !== '');
    const pid = Number(readFileSync(rig.inFolder('pid'), 'utf8'));
    await query.interrupt();
    await over;
    assert.deepEqual(outcomes(messages), ['error_during_execution']);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  },

  'a limit of turns': async (rig) => {
    rig.writes();
    const { messages } = await rig.ended('Make it', { permissionMode: 'acceptEdits', maxTurns: 1 });
    assert.deepEqual(outcomes(messages), ['error_max_turns']);
    assert.equal(rig.server.requests.length, 1);
  },

  'a limit of money, and one of tasks, which is refused by its name': async (rig) => {
    rig.writes();
    const { messages } = await rig.ended('Make it', { permissionMode: 'acceptEdits', maxBudgetUsd: 0.000_001 });
    assert.deepEqual(outcomes(messages), ['error_max_budget_usd']);
    const before = rig.server.requests.length;
    const { stderr } = await rig.ended('hi', { taskBudget: { total: 1_000 } });
    assert.match(stderr, /--task-budget is not known/);
    assert.equal(rig.server.requests.length, before);
  },

  'a session is gone on with, in a copy, and as the newest of its folder': async (rig) => {
    rig.echoes();
    const id = idOf(await rig.all('first'));
    assert.equal(idOf(await rig.all('second', { resume: id })), id);
    const copy = idOf(await rig.all('third', { resume: id, forkSession: true }));
    assert.notEqual(copy, id);
    assert.equal(idOf(await rig.all('fourth', { continue: true })), copy);
    assert.deepEqual(
      rig.server.requests.map(({ body }) => body.messages.length),
      [1, 3, 5, 7],
    );
  },

  'a session that there is not has an error for its result': async (rig) => {
    const { messages } = await rig.ended('hi', { resume: '00000000-0000-4000-8000-000000000000' });
    assert.deepEqual(outcomes(messages), ['error_during_execution']);
  },

  'options that Gnomon has nothing for are refused by their names, and nothing is asked': async (rig) => {
    const agents = { helper: { description: 'Helps.', prompt: 'Help.' } };
    for (const [name, value] of Object.entries({ agents, toolAliases: { Bash: 'mcp__a__b' }, skills: ['one'] })) {
      const { messages, stderr } = await rig.ended('hi', { [name]: value });
      assert.match(stderr, new RegExp(`“${name}”`));
      assert.deepEqual(outcomes(messages), ['error_during_execution']);
    }
    assert.equal(rig.server.requests.length, 0);
  },

  'no layers of settings': async (rig) => {
    mkdirSync(dirname(`${rig.home}/.gnomon/settings.json`), { recursive: true });
    writeFileSync(`${rig.home}/.gnomon/settings.json`, '{"systemPromptAddition":"BY THE USER"}');
    rig.says('Fine.');
    await rig.all('hi');
    await rig.all('hi', { settingSources: [] });
    assert.deepEqual(
      rig.server.requests.map(({ raw }) => raw.includes('BY THE USER')),
      [true, false],
    );
  },

  'a system prompt, and what is added to one': async (rig) => {
    rig.says('Fine.');
    await rig.all('hi', { systemPrompt: 'You are a parrot.' });
    await rig.all('hi', { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Speak of seeds.' } });
    const [own, added] = rig.server.requests.map(({ raw }) => raw);
    assert.match(own ?? '', /You are a parrot\./);
    assert.match(added ?? '', /Speak of seeds\./);
  },

  'data in a form that is asked for': async (rig) => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
    rig.says('{"n":7}');
    const [result] = ofType(await rig.all('hi', { outputFormat: { type: 'json_schema', schema } }), 'result');
    assert.deepEqual(result?.['structured_output'], { n: 7 });
    rig.says('{"n":"seven"}');
    const { messages } = await rig.ended('hi', { outputFormat: { type: 'json_schema', schema } });
    assert.deepEqual(outcomes(messages), ['error_max_structured_output_retries']);
  },

  'a request that is made again, a message that is repeated, and a command in the background': async (rig) => {
    rig.server.setScript(({ body }, n) => {
      if (n === 0) return httpError(529, 'overloaded_error', 'Busy.', { 'retry-after': '0' });
      return lastToolResults(body).length === 0
        ? reply().thinking('Hm.', 'signed').toolCall('bash', { command: 'sleep 300', background: true })
        : reply().text('Done.');
    });
    const said = new Conversation();
    said.say('Start it');
    const options = {
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      extraArgs: { 'replay-user-messages': null },
      includePartialMessages: true,
    };
    const query = rig.query(said, options);
    const messages: Message[] = [];
    for await (const message of query) {
      messages.push(message);
      if (message.type !== 'result') continue;
      await query.stopTask('job-1');
      said.end();
    }
    assert.deepEqual(outcomes(messages), ['Done.']);
    for (const subtype of ['api_retry', 'task_notification']) assert.equal(messages.filter((message) => message['subtype'] === subtype).length, 1, subtype);
    assert.ok(messages.some(({ isReplay }) => isReplay === true));
  },

  'files are put back to before a message, thinking is limited, and what there is is told': async (rig) => {
    rig.writes();
    const said = new Conversation();
    said.say('Make it', { uuid: '11111111-1111-4111-8111-111111111111' });
    const query = rig.query(said, { permissionMode: 'acceptEdits', enableFileCheckpointing: true, model: 'anthropic/claude-haiku-4-5' });
    await query.setMaxThinkingTokens(5_000);
    for await (const message of query) {
      if (message.type !== 'result') continue;
      assert.equal((await query.rewindFiles('11111111-1111-4111-8111-111111111111', { dryRun: true }))['canRewind'], true);
      assert.equal(existsSync(rig.inFolder('made.txt')), true);
      await query.rewindFiles('11111111-1111-4111-8111-111111111111');
      await assert.rejects(query.rewindFiles('22222222-2222-4222-8222-222222222222'), /There is no message/);
      await assert.rejects(query.stopTask('job-1'), /There is no job/);
      assert.ok(Number((await query.getContextUsage())['totalTokens']) > 0);
      assert.deepEqual(await query.mcpServerStatus(), []);
      said.end();
    }
    assert.equal(existsSync(rig.inFolder('made.txt')), false);
    assert.equal(rig.server.requests[0]?.body.thinking?.['budget_tokens'], 4_000);
  },
};

function deciding(permissionDecision: string): object {
  const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'The hook says so.' } };
  return { PreToolUse: [{ matcher: 'Write', hooks: [() => Promise.resolve(answer)] }] };
}

/** What the model was told that came of its calls. */
function told(rig: Rig): string {
  return rig.server.requests.map(({ body }) => lastToolResults(body).map(resultText).join('')).join('');
}

function idOf(messages: readonly Message[]): unknown {
  return ofType(messages, 'result')[0]?.['session_id'];
}

function modeIn(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'mode' in answer ? answer.mode : answer;
}

/** Resolves when something is so. */
async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, 'It did not become so within 30 s.');
    await pause(20);
  }
}

/** Takes what is left of a run. */
async function rest(query: AsyncIterable<Message>, messages: Message[], atResult: () => void = () => undefined): Promise<void> {
  for await (const message of query) {
    messages.push(message);
    if (message.type === 'result') atResult();
  }
}
