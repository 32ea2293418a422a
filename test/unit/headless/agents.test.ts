import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { messagesIn, type ProgramEnd } from '../../support/headless-program.js';
import { filesBelow, ownStorage } from '../../support/headless-sessions.js';
import { eventually } from '../../support/eventually.js';
import { calls, givesAway, part, partOf, results, says, type Script, scripts as byWhom } from '../../support/gives-away.js';
import { gate, httpError, reply } from '../../support/model-server/index.js';
import { writeAt } from '../../support/temporary-folder.js';

const program = programWithModelHere();

const scripts = (chat: Script, agent: Script): void => program.server.setScript(byWhom(chat, agent));
const gnomon = (...args: readonly string[]): Promise<ProgramEnd> => program.run(args);
interface Result {
  readonly session_id: string;
  readonly result: string;
  readonly total_cost_usd: number;
  readonly usage: { readonly output_tokens: number };
  readonly modelUsage: Readonly<Record<string, { readonly outputTokens: number; readonly costUSD: number }>>;
  readonly permission_denials: readonly { readonly tool_name: string; readonly reason: string }[];
}
const asJson = async (...args: readonly string[]): Promise<Result> =>
  JSON.parse((await gnomon('-p', 'Go', '--output-format', 'json', ...args)).output) as Result;
const here = (name: string): string => join(program.folder, name);

/** Has so many wait for one another. */
function meeting(count: number): () => Promise<void> {
  let missing = count;
  let open = (): void => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    missing -= 1;
    if (missing <= 0) open();
    return all;
  };
}

describe('work that a model gives away', () => {
  it('E-01, E-05, E-61: is done side by side, each in a context of its own, never a fork of that of the chat, and the last words come back in the order of the calls', async () => {
    const met = meeting(2);
    scripts(givesAway(part('a', 'explore'), part('b')), async (request) => {
      // Each waits for the other: one after the other, they would wait for ever.
      await met();
      return reply().text(`Found in ${partOf(request)}.`);
    });
    const { code, output, errors } = await gnomon('-p', 'Do the whole of it');
    expect(code).toBe(0);
    // The cheaper model of the one that only reads is all that is said.
    expect(errors).toMatch(/^explore: Look at a \(with anthropic\/claude-haiku[^)]*\)\n$/);
    expect(output).toContain('Found in PART a. | Found in PART b.');
    const agents = program.server.requests.filter((request) => partOf(request) !== '');
    expect(agents.map(({ raw, body }) => [raw.includes('Do the whole of it'), body.messages.length])).toEqual([
      [false, 1],
      [false, 1],
    ]);
  });

  it('E-10: has at most four agents at a time, and the others wait for their turn', async () => {
    const held = gate();
    let [at, most] = [0, 0];
    scripts(givesAway(...Array.from({ length: 7 }, (_, n) => part(`${n}`))), async (request) => {
      at += 1;
      most = Math.max(most, at);
      // The fourth lets them all go on.
      if (at === 4) held.open();
      await held.pass();
      at -= 1;
      return reply().text(partOf(request).slice(5));
    });
    expect((await gnomon('-p', 'Go')).output).toContain('0 | 1 | 2 | 3 | 4 | 5 | 6');
    expect(most).toBe(4);
  });

  it('has only the tools of its type: one that explores changes nothing, whatever it calls', async () => {
    scripts(givesAway(part('a', 'explore')), calls('write', { file_path: 'made.txt', content: 'x' }));
    const { output } = await gnomon('-p', 'Go', '--permission-mode', 'acceptEdits');
    expect(existsSync(here('made.txt'))).toBe(false);
    expect(output).toContain('It says: The agent “explore” does not');
    const agent = program.server.requests.find((request) => partOf(request) !== '');
    expect(agent?.body.tools?.map(({ name }) => name).sort()).toEqual(['glob', 'grep', 'list', 'read']);
  });

  it('starts no other agents, and asks its user nothing', async () => {
    scripts(givesAway(part('a')), calls('agent', part('b')));
    await gnomon('-p', 'Go');
    const agents = program.server.requests.filter((request) => partOf(request) !== '');
    expect(new Set(agents.map(partOf))).toEqual(new Set(['PART a']));
    const tools = agents[0]?.body.tools?.map(({ name }) => String(name)) ?? [];
    expect(tools).toContain('bash');
    expect(tools.filter((name) => ['agent', 'ask', 'todo'].includes(name))).toEqual([]);
  });

  it('can be an agent of a file, with its prompt, its tools, and its limits', async () => {
    writeAt(here('.claude/agents/checker.md'), '---\nname: checker\ndescription: Checks facts.\ntools: Read\n---\nYou check facts.\n');
    scripts(givesAway(part('a', 'checker')), says('Right.'));
    expect((await gnomon('-p', 'Go', '--trust-project')).output).toContain('Right.');
    const [chat, agent] = program.server.requests;
    expect(JSON.stringify(chat?.body.tools)).toContain('checker: Checks facts.');
    expect(JSON.stringify(agent?.body.system)).toContain('You check facts.');
    expect(agent?.body.tools?.map(({ name }) => name)).toEqual(['read']);
  });
});

describe('cmd-44, E-20 to E-23: an agent has no more than who has started it', () => {
  const writes = calls('write', { file_path: 'made.txt', content: 'x' });

  it.each([
    ['the mode', ['--permission-mode', 'plan']],
    ['a deny rule', ['--permission-mode', 'acceptEdits', '--disallowedTools', 'Edit']],
    ['the tools of the run', ['--permission-mode', 'acceptEdits', '--tools', 'Agent,Read']],
    ['that nobody can be asked', []],
  ])('because of %s', async (_what, args) => {
    scripts(givesAway(part('a')), writes);
    const { output } = await gnomon('-p', 'Go', ...args);
    expect(existsSync(here('made.txt'))).toBe(false);
    expect(output).toContain('It says: ');
  });

  it.each([
    ['of the run', ['--agent', 'reader'], 'Go'],
    ['of the command that is its message', [], '/look'],
  ])('because of the agent %s', async (_what, args, words) => {
    const home = (name: string, text: string): void => writeAt(join(program.home, '.claude', name), text);
    home('agents/reader.md', '---\nname: reader\ndescription: Reads.\ntools: Read, Agent\n---\nRead.\n');
    home('commands/look.md', '---\ndescription: Look\nagent: reader\n---\nLook.\n');
    scripts(givesAway(part('a')), writes);
    const { output } = await gnomon('-p', words, '--permission-mode', 'acceptEdits', ...args);
    expect(output).toContain('It says: ');
    expect(existsSync(here('made.txt'))).toBe(false);
    const agent = program.server.requests.find((request) => partOf(request) !== '');
    expect(agent?.body.tools?.map(({ name }) => name)).toEqual(['read']);
  });

  it('but what it may, it may: its mode and its rules are those of the run', async () => {
    scripts(givesAway(part('a')), writes);
    const { errors } = await gnomon('-p', 'Go', '--allowedTools', 'Edit(made.txt)');
    expect(readFileSync(here('made.txt'), 'utf8')).toBe('x');
    expect(errors).toContain('made.txt: created');
  });

  it('and what was denied is told with the result, as what the run itself was denied is', async () => {
    scripts(givesAway(part('a')), writes);
    expect((await asJson()).permission_denials).toMatchObject([{ tool_name: 'Write', agent_type: 'general', reason: expect.stringContaining('') as string }]);
  });

  it('can be denied by its name', async () => {
    scripts(givesAway(part('a', 'explore'), part('b')), says('Done.'));
    const { output } = await gnomon('-p', 'Go', '--disallowedTools', 'Agent(explore)');
    expect(output).toMatch(/denied.*\| Done\./is);
    expect(program.server.requests.filter((request) => partOf(request) !== '').map(partOf)).toEqual(['PART b']);
  });

  it('with another model it is asked about, as it may cost more: where nobody can be, it is not started', async () => {
    writeAt(here('.claude/agents/dear.md'), '---\nname: dear\ndescription: Thinks long.\nmodel: anthropic/claude-opus-4-8\n---\nThink.\n');
    scripts(givesAway(part('a', 'dear')), says('Thought.'));
    const first = program.server.requests.length;
    expect((await gnomon('-p', 'Go', '--trust-project')).output).not.toContain('Thought.');
    expect(program.server.requests.slice(first).filter((request) => partOf(request) !== '')).toEqual([]);
    expect((await gnomon('-p', 'Go', '--trust-project', '--allowedTools', 'Agent(dear)')).output).toContain('Thought.');
    expect(program.server.requests.find((request) => partOf(request) !== '')?.body.model).toContain('opus');
  });
});

describe('what an agent asks', () => {
  const driven = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
  const user = { type: 'user', message: { role: 'user', content: 'Go' }, parent_tool_use_id: null };

  it('is asked for with its name, and an answer for the session counts for all of it', async () => {
    const touches = calls('bash', { command: 'touch made.txt' });
    scripts((request) => {
      const said = results(request).join();
      return said === ''
        ? reply().toolCall('agent', part('a'))
        : said.includes('It says')
          ? reply().toolCall('bash', { command: 'touch made.txt' })
          : reply().text('Done.');
    }, touches);
    const run = program.start(driven, {});
    run.send(user);
    const asked: { readonly request_id: string; readonly request: Readonly<Record<string, unknown>> }[] = [];
    await expect
      .poll(() => {
        asked.splice(0, asked.length, ...(messagesIn(run.output).filter(({ type }) => type === 'control_request') as unknown as typeof asked));
        return asked.length;
      })
      .toBe(1);
    expect(asked[0]?.request).toMatchObject({
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      agent_id: expect.any(String) as string,
      title: 'general: Look at a',
    });
    const { permission_suggestions: suggestions } = asked[0]?.request ?? {};
    const response = { behavior: 'allow', updatedPermissions: suggestions };
    run.send({ type: 'control_response', response: { subtype: 'success', request_id: asked[0]?.request_id, response } });
    run.process.stdin.end();
    const { code, output } = await run.end;
    expect([code, existsSync(here('made.txt'))]).toEqual([0, true]);
    // The same command of the chat itself needed no question.
    expect(output.match(/touch made\.txt/g)?.length).toBeGreaterThan(2);
    expect(messagesIn(output).filter(({ type }) => type === 'control_request')).toHaveLength(1);
    expect(messagesIn(output).at(-1)).toMatchObject({ subtype: 'success', permission_denials: [] });
  });

  it('is asked for once, also where the question of another one is answered before the answer has taken effect', async () => {
    scripts(givesAway(part('a'), part('b')), (request) => calls('bash', { command: `touch ${partOf(request).slice(5)}.txt` })(request));
    const run = program.start(driven);
    run.send(user);
    const [first, second] = [await run.asked('can_use_tool'), await run.asked('can_use_tool', 1)];
    run.respond(first.id, { behavior: 'allow', updatedPermissions: first.body['permission_suggestions'] });
    run.respond(second.id, { behavior: 'deny', message: 'Not that one.' });
    await eventually(() => expect(run.ofType('result')).toHaveLength(1));
    run.process.stdin.end();
    await run.end;
    expect(run.ofType('control_request')).toHaveLength(2);
    const allowed = (first.body['input'] as { readonly command: string }).command.slice('touch '.length);
    expect(['a.txt', 'b.txt'].filter((name) => existsSync(here(name)))).toEqual([allowed]);
  });
});

describe('what happens to the run while an agent works', () => {
  const driven = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const user = { type: 'user', uuid: '0b5a1c9e-0000-4000-8000-000000000001', message: { role: 'user', content: 'Go' }, parent_tool_use_id: null };
  const request = (id: string, body: object): object => ({ type: 'control_request', request_id: id, request: body });
  const writes = calls('write', { file_path: 'made.txt', content: 'x' });

  it('holds for it: a mode that allows less is its own at once', async () => {
    const held = gate();
    scripts(givesAway(part('a')), async (asked) => {
      if (results(asked).length === 0) await held.pass();
      return writes(asked);
    });
    const run = program.start([...driven, '--permission-mode', 'acceptEdits']);
    run.send(user);
    await held.reached;
    run.send(request('1', { subtype: 'set_permission_mode', mode: 'plan' }));
    await expect.poll(() => run.output).toContain('"request_id":"1"');
    held.open();
    run.process.stdin.end();
    expect((await run.end).output).toMatch(/It says: .*plan/i);
    expect(existsSync(here('made.txt'))).toBe(false);
  });

  it('is undone with the message that it was started for', async () => {
    scripts(givesAway(part('a')), writes);
    const run = program.start([...driven, '--permission-mode', 'acceptEdits', '--replay-user-messages']);
    run.send(user);
    await expect.poll(() => run.output).toContain('"type":"result"');
    expect(existsSync(here('made.txt'))).toBe(true);
    run.send(request('1', { subtype: 'rewind_files', user_message_id: user.uuid }));
    await expect.poll(() => run.output).toContain('"request_id":"1"');
    run.process.stdin.end();
    await run.end;
    expect(existsSync(here('made.txt'))).toBe(false);
  });
});

describe('what is told of an agent', () => {
  it('are its messages under its call, and its figures in those of the run', async () => {
    writeFileSync(here('a.txt'), 'one\n');
    scripts(givesAway(part('a')), calls('read', { file_path: 'a.txt' }));
    const { output } = await gnomon('-p', 'Go', '--output-format', 'stream-json');
    const messages = messagesIn(output) as readonly Readonly<Record<string, unknown>>[];
    const call = /"tool_use","id":"([^"]+)","name":"(?:Agent|Task|agent)"/.exec(output)?.[1];
    const wordsFor = ({ type, subtype, parent_tool_use_id: by }: (typeof messages)[number]): string =>
      String(subtype).startsWith('task_') ? String(subtype) : `${String(type)} ${by === call ? 'agent' : 'chat'}`;
    expect(messages.map(wordsFor)).toEqual([
      'system chat',
      'assistant chat',
      'task_started',
      'assistant agent',
      'task_progress',
      'user agent',
      'assistant agent',
      'task_notification',
      'user chat',
      'assistant chat',
      'result chat',
    ]);
    expect(new Set(messages.map(({ session_id }) => session_id)).size).toBe(1);
    const told = messages.filter(({ subtype }) => String(subtype).startsWith('task_'));
    expect(new Set(told.map(({ task_id }) => task_id)).size).toBe(1);
    expect(told).toMatchObject([
      { tool_use_id: call, description: 'Look at a', subagent_type: 'general', spawn_depth: 1 },
      { tool_use_id: call, last_tool_name: 'read', usage: { tool_uses: 1 } },
      { tool_use_id: call, status: 'completed', summary: expect.stringContaining('It says:') as string, usage: { tool_uses: 1 } },
    ]);
    const result = messages.at(-1) as unknown as Result;
    expect(program.server.requests).toHaveLength(4);
    const used = result.modelUsage['anthropic/claude-sonnet-5-5'];
    expect([used?.outputTokens, used?.costUSD]).toEqual([result.usage.output_tokens, result.total_cost_usd]);
    // Each request of the four has the same figures.
    const alone = await (async (): Promise<Result> => {
      scripts(says('Fine.'), says(''));
      return asJson();
    })();
    expect(result.usage.output_tokens).toBe(4 * alone.usage.output_tokens);
  });

  it('E-12: is paid from what the run may cost, and nothing is sent beyond it', async () => {
    scripts(givesAway(part('a'), part('b'), part('c')), calls('read', { file_path: 'a.txt' }));
    const { code, errors } = await gnomon('-p', 'Go', '--max-budget-usd', '0.000001');
    expect([code, program.server.requests.length]).toEqual([1, 1]);
    expect(errors).toContain('cost limit');
  });

  it('is kept beside the sessions, is none of them, and goes with the one that it worked for', async () => {
    scripts(givesAway(part('a')), says('Done.'));
    const { session_id: id } = await asJson();
    const storage = ownStorage(program.folder, program.home);
    expect(readdirSync(join(storage, 'elves'))).toEqual([id]);
    expect(Object.keys(filesBelow(join(storage, 'elves'))).length).toBeGreaterThan(0);
    const { output } = await program.runWithout(['sessions', 'list', '--json']);
    expect(output.trim().split('\n')).toEqual([expect.stringContaining(id)]);
    expect((await program.runWithout(['sessions', 'delete', id, '--permanently'])).code).toBe(0);
    expect(existsSync(join(storage, 'elves', id))).toBe(false);
  });
});

describe('an agent that cannot do its work', () => {
  const outcome = async (chat: Script, agent: Script): Promise<string> => {
    scripts(chat, agent);
    const { code, output } = await gnomon('-p', 'Go');
    expect(code).toBe(0);
    return output;
  };

  it('E-50: fails with a reason for who has started it, which goes on', async () => {
    expect(await outcome(givesAway(part('a')), () => httpError(400, 'invalid_request_error', 'No such thing'))).toMatch(/The agent failed: .*No such thing/s);
    expect(await outcome(givesAway(part('a')), says(''))).toContain('The agent');
    expect(await outcome(givesAway(part('a', 'nobody')), says('x'))).toMatch(/There is no agent “nobody”\. There are: explore, general/);
    expect(await outcome(givesAway({ description: 'x', prompt: '' }), says('x'))).toContain('prompt');
    expect(await outcome(givesAway({ description: 'x', prompt: `PART ${'a'.repeat(300_000)}` }), says('x'))).toContain('Name files instead of repeating them');
  });

  it('E-13: is not given the same work again and again', async () => {
    let rounds = 0;
    const chat: Script = (request) => {
      rounds += 1;
      return rounds <= 4 ? reply().toolCall('agent', part('a')) : reply().text(results(request).join());
    };
    const output = await outcome(chat, says('Nothing.'));
    expect(program.server.requests.filter((request) => partOf(request) !== '')).toHaveLength(2);
    expect(output).toContain('was given to the agent “general” 2 times');
  });

  it('E-04: ends with the run that is stopped, whose requests are all closed', async () => {
    scripts(givesAway(part('a'), part('b'), part('c')), () => reply().text('I begin.').hold(gate()));
    const run = program.start(['-p', 'Go'], { input: '' });
    await expect.poll(() => program.server.requests.length).toBe(4);
    run.interrupt();
    expect((await run.end).code).toBe(130);
    expect(await Promise.all(program.server.requests.slice(1).map(({ closedByClient }) => closedByClient))).toEqual([true, true, true]);
  });
});

describe('hooks of an agent', () => {
  it('run around its calls, at its start and at its end, with its id and its name', async () => {
    const log = join(program.home, 'log');
    const hook = { hooks: [{ type: 'command', command: `cat >> '${log}'; echo >> '${log}'` }] };
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd'];
    writeAt(join(program.home, '.claude/settings.json'), { hooks: Object.fromEntries(events.map((event) => [event, [hook]])) });
    writeFileSync(here('a.txt'), 'one\n');
    scripts(givesAway(part('a')), calls('read', { file_path: 'a.txt' }));
    await gnomon('-p', 'Go');
    const told = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly hook_event_name: string; readonly agent_id?: string; readonly agent_type?: string });
    expect(told.map(({ hook_event_name: event, agent_type: type = '' }) => `${event} ${type}`.trim())).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'SubagentStart general',
      'PreToolUse general',
      'SubagentStop general',
      'Stop',
      'SessionEnd',
    ]);
    expect(new Set(told.flatMap(({ agent_id: id }) => id ?? [])).size).toBe(1);
  });
});
