import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PermissionMode, PERMISSION_MODES, RULE_EFFECTS, type RuleEffect } from '../../../src/domain/tool/permission.js';
import type { SessionEvent } from '../../../src/engine/events.js';
import { type RecordedRequest, reply, type Script, type StreamReply } from '../../support/model-server/index.js';
import { ALL_RUNS } from '../../support/runs.js';
import { temporaryFolder, writeAt } from '../../support/temporary-folder.js';
import { type NodeChat, nodeChat } from './node-chat.js';

/** Chats that are tried: each has three agents below one another, and all four make all of the calls. */
const CHATS = 120;
const DEPTH = 3;

/** Names of the agents below one another. */
const PARTS = Array.from({ length: DEPTH }, (_, at) => `part-${at + 1}`);

interface Call {
  readonly tool: string;
  readonly args: object;
}

/** Calls by what they do. @param outside absolute path of a folder outside of the workspace */
const callsOf = (outside: string): Readonly<Record<string, Call>> => ({
  read: { tool: 'read', args: { file_path: 'a.txt' } },
  'read a secret': { tool: 'read', args: { file_path: '.env' } },
  'read outside': { tool: 'read', args: { file_path: join(outside, 'far.txt') } },
  search: { tool: 'grep', args: { pattern: 'one' } },
  edit: { tool: 'edit', args: { file_path: 'a.txt', edits: [{ old_string: 'one', new_string: 'ONE' }] } },
  write: { tool: 'write', args: { file_path: 'src/made.txt', content: 'made' } },
  'write what programs load': { tool: 'write', args: { file_path: '.vscode/settings.json', content: '{}' } },
  'write outside': { tool: 'write', args: { file_path: join(outside, 'made.txt'), content: 'made' } },
  'run what reads': { tool: 'bash', args: { command: 'cat a.txt' } },
  'run what reads a secret': { tool: 'bash', args: { command: 'cat .env' } },
  'run what writes': { tool: 'bash', args: { command: 'touch src/made.txt' } },
  'run what writes outside': { tool: 'bash', args: { command: `touch ${join(outside, 'made.txt')}` } },
  'run what removes': { tool: 'bash', args: { command: 'rm a.txt' } },
  'run what connects': { tool: 'bash', args: { command: 'curl -s http://127.0.0.1:9/' } },
  fetch: { tool: 'fetch', args: { url: 'https://192.0.2.1/' } },
  'call a tool of a server': { tool: 'mcp__sums__add', args: { a: 1, b: 2 } },
  'start an agent': { tool: 'agent', args: { description: 'Look', prompt: 'LEAF', agent_type: 'leaf' } },
});

/** Rules about them. */
const RULES = [
  ...['Read(.env)', 'Read(a.txt)', 'Edit', 'Edit(src/**)', 'Edit(/a.txt)', 'Edit(.vscode/**)', 'Grep', 'WebFetch', 'mcp__sums', 'mcp__sums__add'],
  ...['Bash', 'Bash(touch *)', 'Bash(touch src/made.txt)', 'Bash(rm a.txt)', 'Bash(cat .env)', 'Bash(curl -s http://127.0.0.1:9/)'],
  ...['Agent(leaf)', 'Read(//**/far.txt)', 'Edit(//**/made.txt)'],
] as const;
interface Rule {
  readonly effect: RuleEffect;
  readonly text: (typeof RULES)[number];
}

/** A hook that says the same of all calls of some tools. */
interface Hook {
  readonly matcher: string;
  readonly says: 'allow' | 'ask' | 'deny';
}

/** What the file of an agent wants. */
interface Agent {
  readonly tools?: readonly string[] | undefined;
  readonly disallowedTools?: readonly string[] | undefined;
  readonly permissionMode?: string | undefined;
  readonly hooks: readonly Hook[];
  readonly mcpServers?: string | undefined;
  /** Which agents it can start, beside those that make the calls. */
  readonly startable?: readonly string[] | undefined;
}
/** One that asks for nothing. */
const ANYTHING: Agent = { hooks: [] };

/** How a chat is changed while those that work for it do. */
type Change = { readonly kind: 'mode'; readonly mode: PermissionMode } | { readonly kind: 'rule'; readonly rule: Rule } | { readonly kind: 'agent' };

/** A chat, and the agents below it. */
interface Plan {
  /** Names of the calls that each of them makes. */
  readonly calls: readonly string[];
  readonly trusted: boolean;
  readonly mode: PermissionMode;
  readonly rules: readonly Rule[];
  readonly hooks: readonly Hook[];
  /** A hook of a skill that the chat uses. */
  readonly skill: Hook | undefined;
  /** The agent of the chat, and whether it is that of the message alone. */
  readonly chief: { readonly agent: Agent; readonly ofMessage: boolean } | undefined;
  readonly below: readonly Agent[];
  /** Depth of the one that works in a worktree, and so do those below. */
  readonly isolated: number | undefined;
  /** Whether there is an MCP server. */
  readonly server: boolean;
  /** Happens when the agent of a depth has begun. */
  readonly change: { readonly to: Change; readonly at: number } | undefined;
}

/** Something in so many of five cases. */
const inSome = <T>(cases: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5 - cases, arbitrary: fc.constant(undefined) }, { weight: cases, arbitrary: value });
const rule: fc.Arbitrary<Rule> = fc.record({ effect: fc.constantFrom(...RULE_EFFECTS), text: fc.constantFrom(...RULES) });
const hook: fc.Arbitrary<Hook> = fc.record({
  matcher: fc.constantFrom('Bash', 'Edit|Write', 'Read', 'WebFetch', 'mcp__.*', 'Task|Agent'),
  says: fc.constantFrom('allow', 'ask', 'deny'),
});
// Each is a process for each call.
const seldomHooks = inSome(1, fc.array(hook, { minLength: 1, maxLength: 2 })).map((hooks = []) => hooks);
const TOOLS = ['Read', 'Grep', 'Edit', 'Write', 'Bash', 'WebFetch', 'mcp__sums', 'Task(leaf)'];
const agent: fc.Arbitrary<Agent> = fc.record({
  tools: inSome(2, fc.subarray(TOOLS, { minLength: 3 })),
  disallowedTools: inSome(2, fc.subarray(TOOLS, { maxLength: 2 })),
  permissionMode: inSome(2, fc.constantFrom(...PERMISSION_MODES, 'dontAsk')),
  hooks: seldomHooks,
  mcpServers: inSome(2, fc.constantFrom('[]', '[sums]', '[other]')),
  startable: inSome(2, fc.constantFrom([], ['leaf'])),
});
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('mode' as const), mode: fc.constantFrom(...PERMISSION_MODES) }),
  fc.record({ kind: fc.constant('rule' as const), rule }),
  fc.record({ kind: fc.constant('agent' as const) }),
);
const depth = fc.integer({ min: 1, max: DEPTH });
const plans: fc.Arbitrary<Plan> = fc.record({
  calls: fc.subarray(Object.keys(callsOf('/')), { minLength: 3, maxLength: 6 }),
  trusted: inSome(1, fc.constant<boolean>(false)).map((trusted = true) => trusted),
  mode: fc.constantFrom(...PERMISSION_MODES),
  rules: fc.array(rule, { maxLength: 5 }),
  hooks: seldomHooks,
  skill: inSome(2, hook),
  chief: inSome(2, fc.record({ agent, ofMessage: fc.boolean() })),
  below: fc.tuple(agent, agent, agent),
  isolated: inSome(1, depth),
  server: inSome(1, fc.constant<boolean>(true)).map((server = false) => server),
  change: inSome(2, fc.record({ to: change, at: depth })),
});

const hooksOf = (hooks: readonly Hook[]): object => ({
  PreToolUse: hooks.map(({ matcher, says }) => ({
    matcher,
    hooks: [
      {
        type: 'command',
        command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: says, permissionDecisionReason: 'So.' } })}'`,
      },
    ],
  })),
});

function fileOf(name: string, { tools, disallowedTools, permissionMode, hooks, mcpServers, startable }: Agent, isolated = false): string {
  const fields = {
    ...{ name, description: 'Works.' },
    ...(tools === undefined ? {} : { tools: [...tools, 'Task'].join(', ') }),
    ...(disallowedTools === undefined ? {} : { disallowedTools: disallowedTools.join(', ') }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(mcpServers === undefined ? {} : { mcpServers }),
    ...(startable === undefined ? {} : { agents: `[${[...PARTS, ...startable].join(', ')}]` }),
    ...(isolated ? { isolation: 'worktree' } : {}),
    ...(hooks.length === 0 ? {} : { hooks: JSON.stringify(hooksOf(hooks)) }),
  };
  return `---\n${Object.entries(fields)
    .map(([field, value]) => `${field}: ${value}`)
    .join('\n')}\n---\nWork.\n`;
}

const DECISIONS = ['refused', 'asked', 'allowed'] as const;
type Decision = (typeof DECISIONS)[number];

/** What was decided about each call, by who made it: the chat has depth 0. */
type Decided = readonly Map<string, Decision>[];

/** A folder to work in, and one outside of it, with the files that calls are about. */
interface Places {
  readonly folder: string;
  readonly outside: string;
}

function places(isRepository: boolean): Places {
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  writeAt(join(folder, 'a.txt'), 'one\n');
  writeAt(join(folder, 'src/kept.txt'), 'kept\n');
  writeAt(join(folder, '.env'), 'KEY=1\n');
  writeAt(join(outside, 'far.txt'), 'far\n');
  const git = (...args: readonly string[]): unknown => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
  if (isRepository)
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-q', '-m', 'First'],
    ])
      git(...args);
  return { folder, outside };
}

/** Has everything be as it was before calls were made. @param folder absolute path of the one that is worked in */
function reset({ folder, outside }: Places): void {
  for (const made of ['src/made.txt', '.vscode/settings.json', join(outside, 'made.txt')]) rmSync(resolve(folder, made), { force: true });
  writeAt(join(folder, 'a.txt'), 'one\n');
}

function openChat({ trusted, rules, hooks, below, chief, skill, isolated, server }: Plan, folder: string): Promise<NodeChat> {
  const permissions = Object.fromEntries(RULE_EFFECTS.map((effect) => [effect, rules.filter((each) => each.effect === effect).map(({ text }) => text)]));
  const sums = { command: process.execPath, args: [resolve('test/support/mcp/modern-server.mjs')] };
  const given = { file: '--mcp-config', display: '--mcp-config', text: JSON.stringify({ mcpServers: { sums } }) };
  return nodeChat({
    ...{ folder, trusted },
    settings: { 'gnomon.agents.maxDepth': DEPTH, 'gnomon.maxRounds': 10 },
    inHome: {
      '.gnomon/settings.json': JSON.stringify({ permissions, hooks: hooksOf(hooks) }),
      '.gnomon/agents/leaf.md': fileOf('leaf', ANYTHING),
      '.gnomon/agents/reader.md': fileOf('reader', { ...ANYTHING, tools: ['Read'] }),
      ...Object.fromEntries(below.map((wants, at) => [`.gnomon/agents/part-${at + 1}.md`, fileOf(`part-${at + 1}`, wants, isolated === at + 1)])),
      ...(chief === undefined ? {} : { '.gnomon/agents/chief.md': fileOf('chief', chief.agent) }),
      ...(skill === undefined
        ? {}
        : { '.gnomon/skills/guard/SKILL.md': `---\nname: guard\ndescription: Guards.\nhooks: ${JSON.stringify(hooksOf([skill]))}\n---\nGuard.\n` }),
    },
    ...(server ? { startedWith: { servers: [given], onlyTheseServers: false } } : {}),
  });
}

/** Has the chat and each agent below it start the next one, wait for that, and make the calls: what has changed meanwhile holds for all of them. */
function scriptOf({ skill, change }: Plan, calls: readonly Call[], { chat, outside }: { readonly chat: NodeChat; readonly outside: string }): Script {
  let left = change;
  return (request) => {
    const depth = depthOf(request);
    if (depth === undefined) return reply().text('Looked.');
    if (left?.at === depth) {
      changeChat(chat, left.to);
      left = undefined;
    }
    const next = { description: 'Work', prompt: `PART ${depth + 1};`, agent_type: `part-${depth + 1}` };
    const steps = [
      ...(depth === 0 && skill !== undefined ? [reply().toolCall('skill', { skill: 'guard' }, { id: 'chain_skill' })] : []),
      ...(depth < DEPTH ? [reply().toolCall('agent', next, { id: `chain_${depth}` })] : []),
      calls.reduce<StreamReply>((all, { tool, args }, at) => all.toolCall(tool, args, { id: `made_${depth}_${at}` }), reply()),
    ];
    const done = request.body.messages.filter(({ role }) => role === 'assistant').length;
    if (done === steps.length - 1) reset({ folder: folderOf(request), outside });
    return steps[done] ?? reply().text('Done.');
  };
}

async function decided(wish: Plan): Promise<Decided> {
  const { folder, outside } = places(wish.isolated !== undefined);
  const calls = Object.entries(callsOf(outside)).filter(([name]) => wish.calls.includes(name));
  const chat = await openChat(wish, folder);
  const { agents } = chat.host.host;
  await agents.ready();
  await chat.begin(wish.mode);
  const found = watch(
    chat,
    calls.map(([name]) => name),
  );
  chat.server.setScript(
    scriptOf(
      wish,
      calls.map(([, call]) => call),
      { chat, outside },
    ),
  );
  const chief = wish.chief === undefined ? undefined : agents.find('chief');
  if (wish.chief?.ofMessage === false) chat.conversation.setAgent(chief);
  const { turn } = chat.conversation.send([{ type: 'text', text: 'PART 0;' }], wish.chief?.ofMessage === true ? { agent: chief } : {});
  expect([(await turn).end, chat.server.errors, chat.server.requests.flatMap(({ problem }) => problem ?? [])]).toEqual(['end_turn', [], []]);
  await chat.close();
  return found;
}

function depthOf({ body }: RecordedRequest): number | undefined {
  const depth = /PART (\d);/.exec(JSON.stringify(body.messages[0]?.content ?? ''))?.[1];
  return depth === undefined ? undefined : Number(depth);
}

function folderOf({ body }: RecordedRequest): string {
  return /Working directory: ([^"\\]+)/.exec(JSON.stringify(body.system))?.[1] ?? '';
}

function changeChat({ conversation, host }: NodeChat, to: Change): void {
  if (to.kind === 'mode') conversation.setMode(to.mode);
  else if (to.kind === 'agent') conversation.setAgent(host.host.agents.find('reader'));
  else host.host.permissions.sessionRules.update(conversation.id, { type: 'addRules', effect: to.rule.effect, rules: [to.rule.text] });
}

/** Notes what is decided about the calls, and denies all of them that are asked about, but for those that start who makes the next ones. */
function watch({ conversation, host }: NodeChat, names: readonly string[]): Decided {
  const found = Array.from({ length: DEPTH + 1 }, () => new Map<string, Decision>());
  const note = (callId: string, decision: Decision): void => {
    const [kind, depth = '', at = ''] = callId.split('_');
    const name = names[Number(at)];
    const of = found[Number(depth)];
    if (kind === 'made' && name !== undefined && of?.has(name) === false) of.set(name, decision);
  };
  const heard = (event: SessionEvent): void => {
    if (event.type === 'child') heard(event.event);
    if (event.type !== 'tool_call') return;
    const { status } = event.state;
    if (status === 'awaiting_approval') note(event.callId, 'asked');
    else if (status === 'running') note(event.callId, 'allowed');
    else if (status !== 'pending') note(event.callId, 'refused');
  };
  conversation.session.onEvent(heard);
  host.host.sessions.onDidChangeAsks(() => {
    queueMicrotask(() => {
      for (const { callId, who, ...ask } of conversation.session.asks.waiting) {
        if (ask.kind === 'permission') conversation.session.answer(callId, { type: callId.startsWith('chain') ? 'allow' : 'deny' }, ask.revision, who.session);
      }
    });
  });
  return found;
}

/** Whether nobody may more than who is above. */
function expectLess(found: Decided): void {
  const more = found.flatMap((of, depth) =>
    [...of].flatMap(([name, decision]) => {
      const above = found[depth - 1]?.get(name);
      return above !== undefined && DECISIONS.indexOf(decision) > DECISIONS.indexOf(above)
        ? [`${name}: ${above} at depth ${depth - 1}, ${decision} at ${depth}`]
        : [];
    }),
  );
  expect(more).toEqual([]);
}

/** A chat whose agents ask for nothing. */
const PLAIN: Plan = {
  ...{ calls: Object.keys(callsOf('/')), trusted: true, mode: 'default', rules: [], hooks: [], skill: undefined, chief: undefined },
  ...{ below: [ANYTHING, ANYTHING, ANYTHING], isolated: undefined, server: false, change: undefined },
};

describe('cmd-44, E-20: whatever is refused or asked about in a chat is refused or asked about in its agents at every depth', () => {
  it('whatever the chat may, its agents ask for, and they call', { timeout: 600_000 }, async () => {
    const tried = async (wish: Plan): Promise<void> => expectLess(await decided(wish));
    await fc.assert(fc.asyncProperty(plans, tried), { numRuns: ALL_RUNS ? CHATS : 2, endOnFailure: true });
  });

  it('an agent that may not start another one has none below that can', async () => {
    const found = await decided({ ...PLAIN, calls: ['start an agent'], below: [ANYTHING, { ...ANYTHING, startable: [] }, ANYTHING] });
    expect(found.map((of) => [...of.values()])).toEqual([['allowed'], ['allowed'], ['refused'], ['refused']]);
  });

  it('the hooks of a skill that the chat uses hold for agents of its agents, too', async () => {
    const found = await decided({ ...PLAIN, calls: ['run what reads'], skill: { matcher: 'Bash', says: 'deny' } });
    expect(found.map((of) => [...of.values()])).toEqual(Array.from({ length: DEPTH + 1 }, () => ['refused']));
  });

  it('the agent that the chat gets while they work holds for agents of its agents, too', async () => {
    const chief = { agent: ANYTHING, ofMessage: false };
    const found = await decided({ ...PLAIN, calls: ['run what reads'], chief, change: { to: { kind: 'agent' }, at: 2 } });
    // That of the message that is being answered stays the one that it began with.
    expect(found.map((of) => [...of.values()])).toEqual([['allowed'], ['refused'], ['refused'], ['refused']]);
  });

  it('a hook of the file of an agent allows nothing, unless the chat has that agent', async () => {
    const allows = { ...ANYTHING, hooks: [{ matcher: 'Bash', says: 'allow' }] } satisfies Agent;
    const plain = { ...PLAIN, calls: ['run what writes'] };
    const first = await decided({ ...plain, below: [allows, ANYTHING, allows] });
    expect(first.map((of) => [...of.values()])).toEqual(Array.from({ length: DEPTH + 1 }, () => ['asked']));
    const second = await decided({ ...plain, chief: { agent: allows, ofMessage: true } });
    expect(second.map((of) => [...of.values()])).toEqual(Array.from({ length: DEPTH + 1 }, () => ['allowed']));
  });
});
