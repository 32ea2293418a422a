import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { headlessProgram, type ProgramEnd, ProgramWithModel, type RunningProgram } from './headless-program.js';
import { lastToolResults, lastUserText, reply } from './model-server/index.js';

/** A message of the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** How programs that speak the protocol start Gnomon. */
const PROTOCOL = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** The program, driven by lines of JSON, with a model server and folders of its own for each test. Called at the top of a file. */
export function drivenProgram(): Driven {
  const driven = new Driven(headlessProgram());
  beforeEach(() => driven.begin());
  afterEach(() => driven.server.close());
  return driven;
}

/** What {@link drivenProgram} gives. */
export class Driven extends ProgramWithModel {
  /** Another place for runs at the same time; it ends with the test. */
  async another(): Promise<Driven> {
    const place = new Driven(this.program);
    await place.begin();
    onTestFinished(() => place.server.close());
    return place;
  }

  /** Starts it. */
  drive(...args: readonly string[]): RunningProgram {
    return this.driveWith({}, ...args);
  }

  /** Starts it with more variables. */
  driveWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): RunningProgram {
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
export function ask(program: RunningProgram, body: object): Promise<Message> {
  const id = randomUUID();
  program.send(request(id, body));
  return program.answerTo(id);
}

/** Its results, once there are as many. */
export async function results(program: RunningProgram, count = 1): Promise<readonly Message[]> {
  await expect.poll(() => program.ofType('result').length, { timeout: 10_000 }).toBe(count);
  return program.ofType('result');
}

/** Ends its input, and waits for its end. */
export function ended(program: RunningProgram): Promise<ProgramEnd> {
  program.process.stdin.end();
  return program.end;
}
