import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../support/headless-program.js';
import { present } from '../../../src/domain/present.js';
import { type Driven, drivenHere, listIn, type Message, request, user } from '../../support/protocol-rig.js';
import { writeAt } from '../../support/temporary-folder.js';
import { SDK_OPTIONS, type SdkOption } from '../../support/sdk-options.js';

const driven = drivenHere();

/** What an option of the SDK becomes on its way to the program, as recorded with 0.3.332. */
interface Given {
  readonly args?: readonly string[];
  readonly initialize?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** What the user says, and what else stands in that frame. Default: “hello”, and nothing. */
  readonly prompt?: string;
  readonly frame?: object;
}

/** What came of a run. */
interface Seen {
  readonly place: Driven<Run>;
  readonly program: Run;
  readonly code: number | null;
  readonly result: Message;
  readonly init: Message;
  /** The bodies of the requests to the model. */
  readonly asked: readonly Message[];
}

/** An option that changes what can be seen. `with` is what stands beside it in both runs. */
interface Changes {
  readonly is: 'followed';
  readonly given: Given | ((place: Driven<Run>) => Given);
  readonly with?: Given;
  /** What the model does. Default: it answers. */
  readonly does?: 'writes' | 'answers with data';
  /** Whether a run goes before. */
  readonly after?: true;
  /** Those of the same number can be given together. Default: 1. */
  readonly set?: number;
  readonly sees: (seen: Seen) => unknown;
  /** What is seen without the option, and with it. */
  readonly turns: readonly [unknown, unknown];
}

type Row =
  | Changes
  /** The program does not begin. `names` is what its message has to name. */
  | { readonly is: 'refused'; readonly given: Given; readonly names: string }
  /** It has no effect, and standard error says so. */
  | { readonly is: 'neutral'; readonly given: Given; readonly names: string }
  /** Nothing is there to be switched. `given` must not disturb. */
  | { readonly is: 'always so'; readonly given: Given; readonly why: string }
  /** It is no matter of the program: the SDK writes nothing of it. */
  | { readonly is: 'of the SDK'; readonly why: string };

const EDITS: Given = { args: ['--permission-mode=acceptEdits'] };
const HAIKU: Given = { args: ['--model=anthropic/claude-haiku-4-5'] };
const ASKS: Given = { args: ['--permission-prompt-tool=stdio'] };
const made = ({ place }: Seen): boolean => existsSync(place.inFolder('made.txt'));
const systemPrompt = ({ asked }: Seen): string => JSON.stringify(asked.at(-1)?.['system']);
const thinking = ({ asked }: Seen): unknown => (asked[0]?.['thinking'] as Message | undefined)?.['budget_tokens'];
const servers = ({ init }: Seen): unknown => listIn(init, 'mcp_servers').map(({ name }) => name);
const heard = ({ asked }: Seen): boolean => listIn(asked.at(-1), 'messages').length > 1;
const tools = ({ asked }: Seen): unknown => listIn(asked[0], 'tools').map(({ name }) => name);
const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
const FINE = { is: 'of the SDK', why: 'how the process is started, watched, or ended' } as const;

/** Sessions that are stored below a folder, by the names of their files. */
function stored({ home }: Driven<Run>): readonly string[] {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /sessions[/\\](?!index)[\w-]+\.json$/.test(name));
}

/** The session that ran before. */
function before(place: Driven<Run>): string {
  return /([^/\\]+)\.json$/.exec(stored(place)[0] ?? '')?.[1] ?? '';
}

const TABLE: Readonly<Record<SdkOption, Row>> = {
  abortController: FINE,
  additionalDirectories: {
    is: 'followed',
    given: ({ home }) => ({ args: [`--add-dir=${home}`] }),
    sees: (seen) => systemPrompt(seen).includes(seen.place.home),
    turns: [false, true],
  },
  agent: {
    is: 'followed',
    set: 3,
    given: { args: ['--agent=reviewer'] },
    sees: (seen) => systemPrompt(seen).includes('You are the canary agent.'),
    turns: [false, true],
  },
  agentProgressSummaries: { is: 'neutral', given: { initialize: { agentProgressSummaries: true } }, names: 'agentProgressSummaries' },
  agents: { is: 'refused', given: { initialize: { agents: { a: { description: 'd', prompt: 'p' } } } }, names: '“agents”' },
  allowDangerouslySkipPermissions: {
    is: 'followed',
    given: { args: ['--allow-dangerously-skip-permissions'] },
    sees: async ({ program }) => (await program.answerTo('bypass'))['subtype'],
    turns: ['error', 'success'],
  },
  allowedTools: { is: 'followed', given: { args: ['--allowedTools=Read,Edit(made.txt)'] }, does: 'writes', sees: made, turns: [false, true] },
  betas: { is: 'neutral', given: { args: ['--betas=context-1m-2025-08-07'] }, names: '--betas' },
  canUseTool: { is: 'followed', set: 2, given: ASKS, does: 'writes', sees: made, turns: [false, true] },
  continue: { is: 'followed', given: { args: ['--continue'] }, after: true, sees: heard, turns: [false, true] },
  cwd: FINE,
  debug: { is: 'neutral', given: { args: ['--debug'] }, names: '--debug' },
  debugFile: { is: 'neutral', given: { args: ['--debug-file=/tmp/debug.log'] }, names: '--debug-file' },
  disallowedTools: { is: 'followed', given: { args: ['--disallowedTools=Edit(made.txt)'] }, with: EDITS, does: 'writes', sees: made, turns: [true, false] },
  effort: { is: 'followed', given: { args: ['--effort=low'] }, with: HAIKU, sees: thinking, turns: [10_000, 4_000] },
  enableFileCheckpointing: {
    is: 'always so',
    given: { env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' } },
    why: 'what a session changes in files can always be put back',
  },
  env: FINE,
  executable: FINE,
  executableArgs: FINE,
  extraArgs: {
    is: 'followed',
    given: { args: ['--append-system-prompt', 'BY ARGS'] },
    sees: (seen) => systemPrompt(seen).includes('BY ARGS'),
    turns: [false, true],
  },
  fallbackModel: { is: 'neutral', given: { args: ['--fallback-model=other'] }, names: '--fallback-model' },
  forkSession: {
    is: 'followed',
    given: { args: ['--fork-session'] },
    with: { args: ['--continue'] },
    after: true,
    sees: ({ place }) => stored(place).length,
    turns: [1, 2],
  },
  forwardSubagentText: { is: 'neutral', given: { initialize: { forwardSubagentText: true } }, names: 'forwardSubagentText' },
  hooks: {
    is: 'followed',
    set: 2,
    given: { initialize: { hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] } } },
    with: EDITS,
    does: 'writes',
    sees: made,
    turns: [true, false],
  },
  includeHookEvents: { is: 'neutral', given: { args: ['--include-hook-events'] }, names: '--include-hook-events' },
  includePartialMessages: {
    is: 'followed',
    given: { args: ['--include-partial-messages'] },
    sees: ({ program }) => program.ofType('stream_event').length > 0,
    turns: [false, true],
  },
  loadTimeoutMs: { is: 'of the SDK', why: 'how long it waits for a store of its own' },
  managedSettings: { is: 'refused', given: { args: ['--managed-settings', '{"permissions":{"deny":["Bash"]}}'] }, names: '--managed-settings' },
  maxBudgetUsd: {
    is: 'followed',
    set: 3,
    given: { args: ['--max-budget-usd=0.000001'] },
    with: EDITS,
    does: 'writes',
    sees: ({ result }) => result['subtype'],
    turns: ['success', 'error_max_budget_usd'],
  },
  maxThinkingTokens: { is: 'followed', set: 2, given: { args: ['--max-thinking-tokens=4000'] }, with: HAIKU, sees: thinking, turns: [10_000, 4_000] },
  maxTurns: {
    is: 'followed',
    set: 4,
    given: { args: ['--max-turns=1'] },
    with: EDITS,
    does: 'writes',
    sees: ({ result }) => result['subtype'],
    turns: ['success', 'error_max_turns'],
  },
  mcpServers: {
    is: 'followed',
    given: { args: ['--mcp-config', '{"mcpServers":{"mine":{"command":"no-such-program"}}}'] },
    sees: servers,
    turns: [['users'], ['mine', 'users']],
  },
  mcpServersDelivery: {
    is: 'followed',
    set: 3,
    given: { args: ['--await-initialize'], initialize: { mcpServers: { mine: { command: 'no-such-program' } } } },
    sees: async (seen) => [servers(seen), ((await seen.program.answerTo('init'))['response'] as Message)['mcp_servers_applied']],
    turns: [
      [['users'], undefined],
      [['mine', 'users'], true],
    ],
  },
  model: { is: 'followed', given: HAIKU, sees: ({ asked }) => asked[0]?.['model'], turns: ['claude-sonnet-5-5', 'claude-haiku-4-5'] },
  onElicitation: { is: 'of the SDK', why: 'it answers what it is asked; where Gnomon runs without a window, nobody is asked for a server' },
  onUserDialog: { is: 'neutral', given: { initialize: { supportedDialogKinds: ['x'] } }, names: 'supportedDialogKinds' },
  outputFormat: {
    is: 'followed',
    given: { args: [`--json-schema=${JSON.stringify(SCHEMA)}`], initialize: { jsonSchema: SCHEMA } },
    does: 'answers with data',
    sees: ({ result }) => result['structured_output'],
    turns: [undefined, { n: 7 }],
  },
  pathToClaudeCodeExecutable: FINE,
  perTaskStopAffordance: { is: 'neutral', given: { initialize: { perTaskStopAffordance: true } }, names: 'perTaskStopAffordance' },
  permissionMode: {
    is: 'followed',
    set: 3,
    given: EDITS,
    does: 'writes',
    sees: (seen) => [made(seen), seen.init['permissionMode']],
    turns: [
      [false, 'default'],
      [true, 'acceptEdits'],
    ],
  },
  permissionPromptToolName: { is: 'refused', given: { args: ['--permission-prompt-tool=mcp__a__b'] }, names: '--permission-prompt-tool' },
  permissionPrompts: { is: 'followed', given: { args: ['--permission-prompts=none'] }, with: ASKS, does: 'writes', sees: made, turns: [true, false] },
  persistSession: { is: 'followed', set: 2, given: { args: ['--no-session-persistence'] }, sees: ({ place }) => stored(place).length, turns: [1, 0] },
  planModeInstructions: { is: 'neutral', given: { initialize: { planModeInstructions: 'Plan it.' } }, names: 'planModeInstructions' },
  pluginDelivery: { is: 'refused', given: { initialize: { plugins: [{ type: 'local', path: '/tmp' }] } }, names: '“plugins”' },
  plugins: { is: 'refused', given: { args: ['--plugin-dir=/tmp'] }, names: '--plugin-dir' },
  projectConfigRoot: { is: 'refused', given: { args: ['--project-config-root=/tmp'] }, names: '--project-config-root' },
  promptSuggestions: { is: 'neutral', given: { initialize: { promptSuggestions: true } }, names: 'promptSuggestions' },
  resume: { is: 'followed', set: 2, given: (place) => ({ args: [`--resume=${before(place)}`] }), after: true, sees: heard, turns: [false, true] },
  resumeDropsTurn: { is: 'refused', given: { args: ['--resume=x', '--resume-drops-turn=true'] }, names: '--resume-drops-turn' },
  resumeSessionAt: { is: 'refused', given: { args: ['--resume=x', '--resume-session-at=u'] }, names: '--resume-session-at' },
  sandbox: { is: 'refused', given: { args: ['--settings', '{"sandbox":{"enabled":true,"failIfUnavailable":true}}'] }, names: 'sandbox' },
  sessionId: { is: 'followed', given: { args: ['--session-id=my-own-id'] }, sees: ({ result }) => result['session_id'] === 'my-own-id', turns: [false, true] },
  sessionStore: { is: 'refused', given: { args: ['--session-mirror'] }, names: '--session-mirror' },
  sessionStoreFlush: { is: 'of the SDK', why: 'it is about a store of its own' },
  settingSources: {
    is: 'followed',
    set: 2,
    given: { args: ['--setting-sources='] },
    sees: (seen) => systemPrompt(seen).includes('BY THE USER'),
    turns: [true, false],
  },
  settings: {
    is: 'followed',
    given: { args: ['--settings', '{"systemPromptAddition":"BY A FLAG"}'] },
    sees: (seen) => systemPrompt(seen).includes('BY A FLAG'),
    turns: [false, true],
  },
  skills: { is: 'refused', given: { args: ['--allowedTools=Skill(a)'], initialize: { skills: ['a'] } }, names: '“skills”' },
  spawnClaudeCodeProcess: FINE,
  stderr: FINE,
  strictMcpConfig: { is: 'followed', set: 2, given: { args: ['--strict-mcp-config'] }, sees: servers, turns: [['users'], []] },
  supportedDialogKinds: { is: 'neutral', given: { initialize: { supportedDialogKinds: ['x'] } }, names: 'supportedDialogKinds' },
  systemPrompt: {
    is: 'followed',
    set: 2,
    given: { initialize: { systemPrompt: ['You are a parrot.', ''] } },
    sees: (seen) => systemPrompt(seen).includes('You are a parrot.'),
    turns: [false, true],
  },
  taskBudget: { is: 'refused', given: { args: ['--task-budget=1000'] }, names: '--task-budget' },
  thinking: { is: 'followed', set: 3, given: { args: ['--thinking=disabled'] }, with: HAIKU, sees: thinking, turns: [10_000, undefined] },
  title: {
    is: 'followed',
    given: { initialize: { title: 'A title' } },
    sees: ({ place }) => readFileSync(join(place.home, stored(place)[0]?.replace('.json', '.meta.json') ?? ''), 'utf8').includes('A title'),
    turns: [false, true],
  },
  toolAliases: { is: 'refused', given: { initialize: { toolAliases: { Bash: 'mcp__a__b' } } }, names: '“toolAliases”' },
  toolConfig: { is: 'neutral', given: { env: { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html' } }, names: 'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT' },
  tools: {
    is: 'followed',
    given: { args: ['--tools=Read'] },
    sees: (seen) => JSON.stringify(tools(seen)),
    turns: [expect.stringContaining('"bash"'), '["read"]'],
  },
  verbatimPrompts: {
    is: 'followed',
    given: { frame: { client_composed: true } },
    with: { prompt: 'What is in @./ here?' },
    set: 4,
    sees: ({ asked }) => JSON.stringify(asked).includes('<attached name='),
    turns: [true, false],
  },
};

/** Begins as the SDK does: `initialize` and the message in one piece. Permission is given; what a hook is asked for is denied. */
async function run(place: Driven<Run>, { args = [], initialize = {}, env = {}, prompt = 'hello', frame = {} }: Given): Promise<Seen> {
  const program = place.driveWith(env, ...args);
  const stop = answers(program);
  const bypass = request('bypass', { subtype: 'set_permission_mode', mode: 'bypassPermissions' });
  program.send(request('init', { subtype: 'initialize', systemPrompt: [''], ...initialize }), user(prompt, frame), bypass);
  await Promise.race([program.end, expect.poll(() => program.ofType('result').length, { timeout: 20_000 }).toBe(1)]);
  program.process.stdin.end();
  const { code } = await program.end;
  stop();
  const asked = place.server.requests.map(({ body }) => ({ ...body }));
  const [init = {}] = program.ofType('system').filter(({ subtype }) => subtype === 'init');
  return { place, program, code, result: program.ofType('result')[0] ?? {}, init, asked };
}

function answers(program: Run): () => void {
  const answered = new Set<string>();
  const answer = (): void => {
    for (const { request_id: id, request: body } of program.ofType('control_request')) {
      if (answered.has(String(id))) continue;
      answered.add(String(id));
      const { subtype, input } = body as Message;
      const denied = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
      program.respond(String(id), subtype === 'can_use_tool' ? { behavior: 'allow', updatedInput: input } : denied);
    }
  };
  program.process.stdout.on('data', answer);
  return () => program.process.stdout.off('data', answer);
}

/** A place of its own, in which the user has an agent, a server, and settings. */
async function placeFor({ does, after }: Pick<Changes, 'does' | 'after'> = {}): Promise<Driven<Run>> {
  const place = await driven.another();
  const files = {
    '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews.\n---\nYou are the canary agent.\n',
    '.claude.json': '{"mcpServers":{"users":{"command":"no-such-program"}}}',
    '.gnomon/settings.json': '{"systemPromptAddition":"BY THE USER"}',
  };
  for (const [name, text] of Object.entries(files)) writeAt(join(place.home, name), text);
  if (does === 'writes') place.writes();
  else place.says(does === 'answers with data' ? '{"n":7}' : 'Fine.');
  if (after === true) await run(place, {});
  return place;
}

function together(...all: readonly Given[]): Given {
  return {
    args: all.flatMap(({ args = [] }) => args),
    initialize: Object.assign({}, ...all.map(({ initialize }) => initialize)) as object,
    env: Object.assign({}, ...all.map(({ env }) => env)) as Readonly<Record<string, string>>,
    frame: Object.assign({}, ...all.map(({ frame }) => frame)) as object,
    ...present({ prompt: all.find(({ prompt }) => prompt !== undefined)?.prompt }),
  };
}

/** What is seen of some options in one run, in the surroundings of the first. */
async function seenOf(rows: readonly Changes[], wanted: (place: Driven<Run>) => readonly Given[]): Promise<readonly unknown[]> {
  const place = await placeFor(rows[0]);
  const seen = await run(place, together(rows[0]?.with ?? {}, ...wanted(place)));
  if (seen.asked.length === 0) throw new Error(`Nothing was asked: ${seen.program.errors}${seen.program.output}`);
  return Promise.all(rows.map(({ sees }) => sees(seen)));
}

const ALL = Object.entries(TABLE) as readonly (readonly [SdkOption, Row])[];
const rowsOf = <Is extends Row['is']>(is: Is): (readonly [SdkOption, Extract<Row, { is: Is }>])[] =>
  ALL.filter((each): each is readonly [SdkOption, Extract<Row, { is: Is }>] => each[1].is === is);

describe('K-12: an option of the Agent SDK', () => {
  it('is in the table, whatever it is called', () => {
    expect(ALL.map(([name]) => name).sort()).toEqual([...SDK_OPTIONS].sort());
  });

  // One run without an option serves all that are seen in the same surroundings.
  const keyOf = ({ with: beside, does, after }: Changes): string => JSON.stringify([beside, does, after]);
  const keys = [...new Set(rowsOf('followed').map(([, row]) => keyOf(row)))];
  const groups = keys.map((key) => rowsOf('followed').filter(([, row]) => keyOf(row) === key));
  it.each(groups.map((rows) => ({ names: rows.map(([name]) => name).join(', '), rows })))('changes what can be seen: $names', async ({ rows }) => {
    const without = await seenOf(
      rows.map(([, row]) => row),
      () => [],
    );
    expect(without).toEqual(rows.map(([, { turns }]) => turns[0]));
    const sets = [...new Set(rows.map(([, { set = 1 }]) => set))].map((wanted) => rows.filter(([, { set = 1 }]) => set === wanted));
    for (const set of sets) {
      const all = set.map(([, row]) => row);
      const seen = await seenOf(all, (place) => all.map(({ given }) => (typeof given === 'function' ? given(place) : given)));
      expect(set.map(([name], index) => [name, seen[index]])).toEqual(set.map(([name, { turns }]) => [name, turns[1]]));
    }
  });

  it('is refused by its name, and nothing is asked', async () => {
    for (const [name, { given, names }] of rowsOf('refused')) {
      const { program, code, asked } = await run(await placeFor(), given);
      expect([name, code, asked.length]).toEqual([name, 2, 0]);
      expect(program.errors).toContain(names);
    }
  });

  it('has no effect, and standard error says so with the reason', async () => {
    // They do not disturb one another.
    const rows = rowsOf('neutral');
    const { program, code, result } = await run(await placeFor(), together(...rows.map(([, { given }]) => given)));
    expect([code, result['subtype']]).toEqual([0, 'success']);
    const lines = program.errors.split('\n');
    for (const [, { names }] of rows) expect(lines).toContainEqual(expect.stringMatching(new RegExp(`${names}.* has no effect in Gnomon: .+\\.$`)));
  });

  it('is about something that is always so', async () => {
    const { program, code } = await run(await placeFor(), together(...rowsOf('always so').map(([, { given }]) => given)));
    expect([code, program.errors]).toEqual([0, '']);
  });
});
