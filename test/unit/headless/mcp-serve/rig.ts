import {
  Client,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { StreamTransport } from '../../../support/entries/mcp-client.js';
import { programHere } from '../../../support/entries/program-here.js';
import { environmentOf } from '../../../support/headless-program.js';

/** A revision from before 2026-07-28, or the first of those with rounds. */
export type Era = 'legacy' | 'modern';

export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** What a user of the client fills in. */
export const ALLOW: ElicitResult = { action: 'accept', content: { decision: 'Allow once' } };
export const DENY: ElicitResult = { action: 'accept', content: { decision: 'Deny' } };

/** How the program is started, and by whom. */
export interface ServerStart {
  /** Absolute path of the program. Left out: it runs in this process. */
  readonly program?: string;
  readonly folder: string;
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly era?: Era;
  /** Answers its questions; left out: the client has no forms. */
  readonly user?: (request: ElicitRequest) => ElicitResult | Promise<ElicitResult>;
  /** What the client can do, in place of what follows from that. */
  readonly capabilities?: ClientCapabilities;
}

/** A client that has started the program: the official one. */
export interface ServedClient {
  readonly client: Client;
  /** What its user was asked. */
  readonly questions: string[];
  /** What the program wrote to standard error. */
  readonly errors: () => string;
  readonly pid: number;
  /** Calls a tool. @returns the texts of its result, and whether it failed */
  readonly call: (name: string, args: Readonly<Record<string, unknown>>, options?: RequestOptions) => Promise<CallEnd>;
  /** The same, by a client of the modern era that says it cannot ask anybody about this call. */
  readonly callUnasked: (name: string, args: Readonly<Record<string, unknown>>) => Promise<CallEnd>;
}

/** What became of a call. */
export interface CallEnd {
  readonly text: string;
  readonly failed: boolean;
}

/** Starts the program as a server, which ends with the test. */
export async function serve(start: ServerStart): Promise<ServedClient> {
  const { era = 'legacy', user, capabilities } = start;
  const own = capabilities ?? (user === undefined ? {} : { elicitation: {} });
  const client = new Client(
    { name: 'test-client', version: '1.2' },
    { capabilities: own, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const questions: string[] = [];
  if (own.elicitation !== undefined)
    client.setRequestHandler('elicitation/create', (request) => {
      questions.push(request.params.message);
      return user?.(request) ?? { action: 'cancel' };
    });
  const served = start.program === undefined ? servedHere(start) : servedByProcess(start.program, start);
  await client.connect(served.transport);
  onTestFinished(async () => {
    await client.close();
    await served.end?.();
  });
  const made = async (name: string, args: Readonly<Record<string, unknown>>, more: object, options: RequestOptions = {}): Promise<CallEnd> => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args }, ...more }, options);
    return { text: content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n'), failed: isError === true };
  };
  const call: ServedClient['call'] = (name, given, options) => made(name, given, {}, options);
  const callUnasked: ServedClient['callUnasked'] = (name, given) => made(name, given, { _meta: { [CLIENT_CAPABILITIES_META_KEY]: {} } });
  return { client, questions, errors: served.errors, pid: served.pid(), call, callUnasked };
}

/** A server that was started. */
interface Served {
  readonly transport: Transport;
  readonly errors: () => string;
  /** 0 before it is connected, and where it has no process of its own. */
  readonly pid: () => number;
  /** Waits for its end, where its transport does not. */
  readonly end?: () => Promise<unknown>;
}

function servedByProcess(program: string, { folder, home, args = [], env = {} }: ServerStart): Served {
  const variables = Object.fromEntries(Object.entries(environmentOf(home, env)).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', ...args],
    env: variables,
    cwd: folder,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (text) => (errors += String(text)));
  return { transport, errors: () => errors, pid: () => transport.pid ?? 0 };
}

function servedHere({ folder, home, args = [], env = {} }: ServerStart): Served {
  const program = programHere.start(['mcp', 'serve', ...args], { folder, home, env });
  return { transport: new StreamTransport(program), errors: () => program.errors, pid: () => 0, end: () => program.end };
}
