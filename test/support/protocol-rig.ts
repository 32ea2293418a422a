import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { headlessProgram, type ProgramEnd, type RunningProgram } from './headless-program.js';
import { lastToolResults, lastUserText, type ModelServer, reply, startModelServer } from './model-server/index.js';
import { temporaryFolder } from './temporary-folder.js';

/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** How programs that speak the protocol start Gnomon. */
const PROTOCOL = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];
const MODEL = '--model=anthropic/claude-sonnet-5-5';

/** The program, driven by lines of JSON, with a model server and folders of its own for each test. Called at the top of a file. */
export function drivenProgram(): Driven {
  const { start } = headlessProgram();
  const driven = new Driven(start);
  beforeEach(() => driven.begin());
  afterEach(() => driven.server.close());
  return driven;
}

/** What {@link drivenProgram} gives. */
export class Driven {
  server!: ModelServer;
  /** Absolute paths of the folder that runs work in, and of that for what is kept. */
  folder = '';
  home = '';

  constructor(private readonly startProgram: ReturnType<typeof headlessProgram>['start']) {}

  async begin(): Promise<void> {
    this.server = await startModelServer();
    [this.folder, this.home] = [temporaryFolder(), temporaryFolder()];
  }

  /** Another place for runs at the same time; it ends with the test. */
  async another(): Promise<Driven> {
    const place = new Driven(this.startProgram);
    await place.begin();
    onTestFinished(() => place.server.close());
    return place;
  }

  /** Starts it, with a model where none is named. */
  start(...args: readonly string[]): RunningProgram {
    return this.startWith({}, ...args);
  }

  /** Starts it with more variables. */
  startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): RunningProgram {
    const keys = { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: this.server.url };
    const model = args.some((arg) => arg.startsWith('--model')) ? [] : [MODEL];
    return this.startProgram([...PROTOCOL, ...model, ...args], { folder: this.folder, home: this.home, env: { ...keys, ...env } });
  }

  inFolder(name: string): string {
    return join(this.folder, name);
  }

  /** Models that say something, that repeat the message, and that make a call for each message before they are done. */
  says(...words: readonly string[]): void {
    this.server.setScript(() => reply().text(...words));
  }

  echoes(): void {
    this.server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).split('\n').at(-1) ?? ''}.`));
  }

  calls(tool: string, input: object): void {
    this.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall(tool, input) : reply().text('Done.')));
  }
}

/** A list in a message; empty where there is none. */
export function listIn(message: Message | undefined, field: string): readonly Message[] {
  const list = message?.[field];
  return Array.isArray(list) ? (list as readonly Message[]) : [];
}

/** A message of the user. */
export function user(content: string, more: object = {}): object {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', ...more };
}

export function request(id: string, body: object): object {
  return { type: 'control_request', request_id: id, request: body };
}

/** Those of its messages so far that are of a type. */
export function ofType({ messages }: Pick<RunningProgram, 'messages'>, type: string): readonly Message[] {
  return messages.filter((message) => message['type'] === type);
}

/** What a request was answered with, once it was. */
export async function answerTo(program: RunningProgram, id: string): Promise<Message> {
  const find = (): Message | undefined =>
    ofType(program, 'control_response')
      .map(({ response }) => response as Message)
      .find((response) => response['request_id'] === id);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() ?? {};
}

/** Asks it for something. @returns the answer */
export function ask(program: RunningProgram, body: object): Promise<Message> {
  const id = randomUUID();
  program.send(request(id, body));
  return answerTo(program, id);
}

/** The n-th request of a kind that the program makes, once it does. */
export async function asked(program: RunningProgram, subtype: string, n = 0): Promise<{ readonly id: string; readonly body: Message }> {
  const find = (): Message | undefined => ofType(program, 'control_request').filter((frame) => (frame['request'] as Message)['subtype'] === subtype)[n];
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  const frame = find() ?? {};
  return { id: String(frame['request_id']), body: frame['request'] as Message };
}

export function respond(program: RunningProgram, id: string, response: object): void {
  program.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
}

/** Its results, once there are as many. */
export async function results(program: RunningProgram, count = 1): Promise<readonly Message[]> {
  await expect.poll(() => ofType(program, 'result').length, { timeout: 10_000 }).toBe(count);
  return ofType(program, 'result');
}

/** Ends its input, and waits for its end. */
export function ended(program: RunningProgram): Promise<ProgramEnd> {
  program.process.stdin.end();
  return program.end;
}
