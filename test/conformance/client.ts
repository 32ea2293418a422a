/**
 * The program that the conformance suite runs once for each scenario, with the address of its server as the last argument. Everything
 * goes through the product's own connector; what is here stands for the user and the model.
 */
import { type McpCallOptions, type McpConnection, McpError, type McpHandlers, type McpTarget } from '../../src/domain/mcp/connection.js';
import type { McpToolInfo } from '../../src/domain/mcp/feature.js';
import type { McpElicitation, McpElicitationAnswer, McpFieldValue } from '../../src/domain/mcp/request.js';
import { createMcpConnector } from '../../src/mcp/client/connector.js';
import { startServerProcess } from '../../src/node/process/server-process.js';
import { createSignIn } from './sign-in.js';

/** What a scenario wants done, beside what its name says. */
interface Wanted {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

const signal = new AbortController().signal;
const options: McpCallOptions = { signal, hardMs: 60_000 };

/** A user who accepts everything as it is proposed. */
function accept(request: McpElicitation): McpElicitationAnswer {
  if (request.mode === 'url') return { action: 'accept' };
  const content = request.fields.flatMap((field): [string, McpFieldValue][] => {
    if (field.default !== undefined) return [[field.name, field.default]];
    return field.type === 'boolean' ? [[field.name, true]] : [];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

const handlers: McpHandlers = {
  elicit: (request) => Promise.resolve(accept(request)),
  sample: () => Promise.resolve({ text: 'An answer.', model: 'test', stopReason: 'endTurn' }),
  roots: () => [],
  changed: () => undefined,
  resourceUpdated: () => undefined,
  logged: () => undefined,
  traffic: ({ direction, text }) => console.error(direction, text),
  stderr: () => undefined,
  closed: () => undefined,
};

/** A value for each argument that a tool requires. */
function argumentsFor({ inputSchema }: McpToolInfo): Readonly<Record<string, unknown>> {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, { readonly type?: string }>>;
  const samples: Readonly<Record<string, unknown>> = { string: 'text', number: 5, integer: 5, boolean: true, array: [], object: {} };
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, samples[type ?? 'string']]));
}

/** That a server answers with an error is its own business. */
async function answered(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof McpError) || error.kind !== 'answered') throw error;
    console.error(error.message);
  }
}

/** Uses everything that a server has. */
async function useAll(connection: McpConnection, wanted: Wanted): Promise<void> {
  const tools = (await connection.listTools(signal)).items;
  const calls = wanted.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }));
  // All at the same time, as a model may call them.
  await Promise.all(
    calls.map(async ({ name, arguments: args }) => {
      const tool = tools.find((each) => each.name === name);
      if (tool !== undefined) await answered(connection.callTool(tool, args, options));
    }),
  );
  for (const { uri } of (await connection.listResources(signal)).items) await connection.readResource(uri, options);
  for (const prompt of (await connection.listPrompts(signal)).items) {
    await connection.getPrompt(prompt.name, Object.fromEntries(prompt.arguments.map(({ name }) => [name, 'text'])), options);
  }
}

/** Sign-ins after which a user would give up. */
const MAX_SIGN_INS = 3;

const wanted = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Wanted;
const signIn = createSignIn();
const connector = createMcpConnector({
  client: { name: 'gnomon-conformance', version: '1.0.0' },
  startProcess: startServerProcess,
  fetch,
  auth: (each) => signIn.access(each),
});
const oauth =
  wanted.client_id === undefined
    ? {}
    : { oauth: { clientId: wanted.client_id, ...(wanted.client_secret === undefined ? {} : { clientSecret: wanted.client_secret }) } };
const target: McpTarget = { name: 'conformance', config: { type: 'http', url: process.argv.at(-1) ?? '', headers: {}, ...oauth }, cwd: process.cwd() };

/** Connects and uses everything; signs in whenever the server wants that. */
async function visit(): Promise<void> {
  for (let signIns = 0; ; signIns++) {
    try {
      const connection = await connector.connect(target, handlers, signal);
      try {
        await useAll(connection, wanted);
        return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      if (!(error instanceof McpError) || error.kind !== 'unauthorized' || signIns === MAX_SIGN_INS) throw error;
      console.error(error.message);
      await signIn.signIn(target, signal);
    }
  }
}

await visit();
