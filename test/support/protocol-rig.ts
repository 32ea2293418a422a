import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { programHere, type ProgramHere } from './entries/program-here.js';
import { forEachTest, headlessProgram, type ProgramEnd, ProgramWithModel, type Run, type RunningProgram } from './headless-program.js';
import { lastToolResults, lastUserText, reply } from './model-server/index.js';

/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** How programs that speak the protocol start Gnomon. */
const PROTOCOL = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** The program, driven by lines of JSON, with a model server and folders of its own for each test. Called at the top of a file. */
export function drivenProgram(): Driven {
  return forEachTest(new Driven(headlessProgram()));
}

/** The same in this process, see {@link programHere}. Called at the top of a file. */
export function drivenHere(): Driven<ProgramHere> {
  return forEachTest(new Driven(programHere));
}

/** What {@link drivenProgram} gives. */
export class Driven<R extends Run = RunningProgram> extends ProgramWithModel<R> {
  /** Another place for runs at the same time; it ends with the test. */
  async another(): Promise<Driven<R>> {
    const place = new Driven(this.program);
    await place.begin();
    onTestFinished(() => place.server.close());
    return place;
  }

  /** Starts it. */
  drive(...args: readonly string[]): R {
    return this.driveWith({}, ...args);
  }

  /** Starts it with more variables. */
  driveWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): R {
    return this.start([...PROTOCOL, ...args], { env });
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

/** Asks it for something. @returns the answer */
export function ask(program: Run, body: object): Promise<Message> {
  const id = randomUUID();
  program.send(request(id, body));
  return program.answerTo(id);
}

/** Its results, once there are as many. */
export async function results(program: Run, count = 1): Promise<readonly Message[]> {
  await expect.poll(() => program.ofType('result').length, { timeout: 10_000 }).toBe(count);
  return program.ofType('result');
}

/** Ends its input, and waits for its end. */
export function ended(program: Run): Promise<ProgramEnd> {
  program.process.stdin.end();
  return program.end;
}

/**
 * A server within the test, which adds and has other tools, as many as are wished. Format: Model Context Protocol 2025-06-18.
 * @returns the calls that it got
 */
export function serveSums(program: RunningProgram, others = 0): readonly Message[] {
  const calls: Message[] = [];
  const answered = new Set<string>();
  const number = { type: 'number' };
  const tool = (name: string, description: string): object => ({ name, description, inputSchema: { type: 'object', properties: { a: number, b: number } } });
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'sums', version: '1' } },
    'tools/list': { tools: [tool('add', 'Adds.'), ...Array.from({ length: others }, (_, index) => tool(`other${index}`, 'Does something else. '.repeat(9)))] },
    'tools/call': { content: [{ type: 'text', text: 'the sum is 3' }] },
  };
  program.process.stdout.on('data', () => {
    for (const frame of program.ofType('control_request')) {
      const [id, body] = [String(frame['request_id']), frame['request'] as Message];
      if (body['subtype'] !== 'mcp_message' || answered.has(id)) continue;
      answered.add(id);
      const message = body['message'] as Message;
      if (message['method'] === 'tools/call') calls.push(message['params'] as Message);
      const result = results[String(message['method'])];
      const error = { code: -32_601, message: 'Method not found' };
      const said = message['id'] === undefined ? {} : { jsonrpc: '2.0', id: message['id'], ...(result === undefined ? { error } : { result }) };
      program.respond(id, { mcp_response: said });
    }
  });
  return calls;
}
