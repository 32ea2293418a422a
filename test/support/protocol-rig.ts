import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { programHere, type ProgramHere } from './entries/program-here.js';
import { forEachTest, headlessProgram, type ProgramEnd, ProgramWithModel, type Run, type RunningProgram } from './headless-program.js';
import type { Message } from './protocol-messages.js';

export { listIn, type Message, user } from './protocol-messages.js';

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
export function serveSums(program: Run, others = 0): readonly Message[] {
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
