import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type AgentMessage, type Options, ProcessTransport, type Query, query, type ResultMessage, type UserFrame } from '../../src/headless/library/index.js';
import { transportHere } from './entries/program-here.js';
import { environmentOf, headlessProgram } from './headless-program.js';
import { lastToolResults, type ModelServer, resultText, startModelServer } from './model-server/index.js';
import { running } from './running-processes.js';
import { someNth } from './runs.js';
import { ScriptedModels } from './scripted-models.js';
import { temporaryFolder } from './temporary-folder.js';

/** Where a run works, and what it gets there. */
export interface LibraryPlace {
  readonly server: ModelServer;
  /** Absolute paths of the folder that it works in, and of that for what it keeps. */
  readonly folder: string;
  readonly home: string;
}

/** Options of a run of the real program with the model server, and with nothing of the user who runs the tests. */
export function realOptions({ server, folder, home }: LibraryPlace): Options {
  const keys = { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url };
  const nothing = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return { cwd: folder, model: 'anthropic/claude-sonnet-5-5', env: { ...nothing, ...environmentOf(home, keys) } };
}

/** The ways to the program: as a process of its own, and in this one. */
export const WAYS = ['in a process of its own', 'in this process'] as const;
/** One of {@link WAYS}. */
export type Way = (typeof WAYS)[number];

/** Defines cases of which each is tried by one of {@link WAYS} in turn, and by all in the soak. Called for each way, with the same cases after it. */
export function itInTurn(way: Way): (title: string, test: () => Promise<void>) => void {
  let number = 0;
  return (title, test) => {
    if (someNth(WAYS, WAYS.length, number).includes(way)) it(title, test);
    number += 1;
  };
}

/** All messages of a run. */
export async function allOf(messages: AsyncIterable<AgentMessage>): Promise<readonly AgentMessage[]> {
  const all: AgentMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

/** What a run gave before it failed, and what it failed with. */
export async function failureOf(messages: AsyncIterable<AgentMessage>): Promise<{ readonly error: unknown; readonly before: readonly AgentMessage[] }> {
  const before: AgentMessage[] = [];
  try {
    for await (const message of messages) before.push(message);
  } catch (error) {
    return { error, before };
  }
  return expect.unreachable('The run did not fail.');
}

/** Those of some messages that are of a type. */
export function ofType<Type extends AgentMessage['type']>(messages: readonly AgentMessage[], type: Type): readonly Extract<AgentMessage, { type: Type }>[] {
  return messages.filter((message): message is Extract<AgentMessage, { type: Type }> => message.type === type);
}

/** The texts of results, or why they failed. */
export function outcomes(messages: readonly AgentMessage[]): readonly string[] {
  return ofType(messages, 'result').map((result: ResultMessage) => (result.is_error ? `${result.subtype}: ${result.errors.join(' ')}` : result.result));
}

/** A program that only begins as another one, and says which process it is. */
export function tracked(cliPath: string): { readonly cliPath: string; readonly isRunning: () => boolean; readonly pid: () => number } {
  const folder = temporaryFolder();
  const [wrapper, file] = [join(folder, 'wrapper.mjs'), join(folder, 'pid')];
  writeFileSync(
    wrapper,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(file)}, String(process.pid));\nawait import(${JSON.stringify(pathToFileURL(cliPath).href)});\n`,
  );
  const pid = (): number => Number(readFileSync(file, 'utf8'));
  return { cliPath: wrapper, pid, isRunning: () => running([pid()]).length > 0 };
}

/**
 * A program that speaks the protocol as a test wants it to.
 * @param parts JavaScript that runs at the start, for a message of the user, and for a control request other than `initialize`, which is answered;
 * with `frame`, `write(object)`, `raw(text)`, `answer(frame, response)`, `INIT`, `answerOf(text)`, and `resultOf(text)`
 */
export function fakeProgram({ start = '', user = '', control = '', initialize = 'answer(frame, {});' }: FakeParts): string {
  const path = join(temporaryFolder(), 'fake.mjs');
  writeFileSync(
    path,
    `${PRELUDE}\n${start}\nfunction onUser(frame) { ${user} }\nfunction onControl(frame) { ${control} }\nfunction onInitialize(frame) { ${initialize} }\n`,
  );
  return path;
}

interface FakeParts {
  readonly start?: string;
  readonly user?: string;
  readonly control?: string;
  readonly initialize?: string;
}

const PRELUDE = `
import { createInterface } from 'node:readline';
const session = { session_id: String(process.pid), uuid: 'u' };
const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const raw = (text) => process.stdout.write(text);
const write = (frame) => raw(JSON.stringify(frame) + '\\n');
const answer = (frame, response) => write({ type: 'control_response', response: { subtype: 'success', request_id: frame.request_id, response } });
const INIT = { ...session, type: 'system', subtype: 'init', cwd: process.cwd(), tools: [], mcp_servers: [], model: 'm', permissionMode: 'default', slash_commands: [], apiKeySource: 'none', output_style: 'default', agents: [] };
const answerOf = (text) => ({ ...session, type: 'assistant', parent_tool_use_id: null, message: { id: 'm', role: 'assistant', model: 'm', content: [{ type: 'text', text }], stop_reason: 'end_turn', usage } });
const resultOf = (result) => ({ ...session, type: 'result', subtype: 'success', is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1, result, stop_reason: 'end_turn', terminal_reason: 'end_turn', total_cost_usd: 0, usage, modelUsage: {}, permission_denials: [] });
createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line);
  if (frame.type === 'user') onUser(frame);
  else if (frame.type === 'control_request' && frame.request.subtype === 'initialize') onInitialize(frame);
  else onControl(frame);
});
`;

/** A run of a program that a test wrote. */
export function fakeQuery(parts: FakeParts, options: Options = {}): Query {
  return started(query({ prompt: 'x', options: { cliPath: fakeProgram(parts), ...options } }));
}

/** What a program that a test wrote gets for its end where it does not use it: less than usual. */
export function hurried(cliPath: string): Options {
  return { transport: (start) => new ProcessTransport(start, cliPath, { endMs: 200, terminateMs: 500, quietMs: 200 }) };
}

/** A run that is ended with its test. */
export function started(run: Query): Query {
  onTestFinished(() => run.close());
  return run;
}

/** The real program, with a model server and folders of its own for each test. Called at the top of a file. */
export function realProgram(): RealProgram & Pick<ReturnType<typeof headlessProgram>, 'path'> {
  const { path } = headlessProgram();
  return Object.assign(eachBegins(new RealProgram(() => ({ cliPath: path('gnomon.js') }))), { path });
}

/** The same in this process, see `programHere`. Called at the top of a file. */
export function libraryHere(): RealProgram {
  return eachBegins(new RealProgram(() => ({ transport: transportHere })));
}

function eachBegins(real: RealProgram): RealProgram {
  beforeEach(() => real.begin());
  afterEach(() => real.server.close());
  return real;
}

/** What {@link realProgram} gives. */
export class RealProgram extends ScriptedModels {
  server!: ModelServer;
  /** Absolute paths of the folder that runs work in, and of that for what is kept. */
  folder = '';
  home = '';

  /** @param where says where the program is */
  constructor(private readonly where: () => Options) {
    super();
  }

  async begin(): Promise<void> {
    this.server = await startModelServer();
    [this.folder, this.home] = [temporaryFolder(), temporaryFolder()];
  }

  get options(): Options {
    return { ...realOptions(this), ...this.where() };
  }

  /** Options of a run by a way. */
  by(way: Way): Options {
    return way === 'in this process' ? { ...realOptions(this), transport: transportHere } : this.options;
  }

  /** What the model was told of its calls, in the latest request. */
  get told(): string {
    const last = this.server.requests.at(-1);
    return last === undefined ? '' : lastToolResults(last.body).map(resultText).join('\n');
  }

  ask(prompt: string, more: Options = {}): Query {
    return started(query({ prompt, options: { ...this.options, ...more } }));
  }
}

/** A message of the user. */
export function user(content: string): UserFrame {
  return { type: 'user', message: { role: 'user', content } };
}

/** The session of a run. */
export function idOf(messages: readonly AgentMessage[]): string {
  return ofType(messages, 'result')[0]?.session_id ?? '';
}
