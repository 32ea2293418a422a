import { present } from '../../domain/present.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { AbortError, ToolInputError } from '../../domain/errors.js';
import { type McpCallOptions, McpError, type McpErrorKind, type McpProgress } from '../../domain/mcp/connection.js';
import type { McpCallResult, McpToolInfo } from '../../domain/mcp/feature.js';
import { serverPrefix, serverToolName } from '../../domain/mcp/tool-name.js';
import type { Tool, ToolContext, ToolResult, ToolSpec } from '../../domain/tool/tool.js';
import { headOf, showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import { textResult } from '../../tool/calls/define.js';
import { changedTools, type SeenTool, toolFingerprint } from '../consent/tool-fingerprint.js';
import { checkerOf, createForeignTool, type ForeignDescription } from '../../tool/calls/foreign.js';
import * as z from 'zod/mini';
import { plainText } from './result-blocks.js';
import { type KeepText, resultOf } from './result.js';
import { checkedSchema, toldSchema } from './schema.js';

/** Tools of one server that are offered. */
const MAX_TOOLS = 1_000;
/** Characters of all definitions of one server together: some requests have all of them, whether they are used or not. */
const MAX_DEFINITIONS = 1_000_000;
/** Characters of a description that models get, some 500 tokens. */
const MAX_DESCRIPTION = 2_000;
/** Characters of a title that the prompt shows. */
const MAX_TITLE = 100;

/** Tools of a server that the user has accepted. */
export interface AcceptedTools {
  /** The accepted version of a tool, which may be the current one; `undefined` where there is nothing to compare it with. */
  before(tool: McpToolInfo): SeenTool | undefined;
  /** Takes that the user has allowed a call of a tool whose definition they were shown. Must not throw. */
  accept(tool: McpToolInfo): void;
}

/** A server whose tools are to be tools of the agent. */
export interface ToolServer {
  /** Id of the server. */
  readonly id: string;
  /** Name in its configuration file; absent: its id. */
  readonly name?: string;
  readonly tools: readonly McpToolInfo[];
  /** @param options `session` is the chat that it is called for, where what the server asks meanwhile is asked */
  call(tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions & { readonly session: string }): Promise<McpCallResult>;
  /** The definition that the server lists now under a name, which can change at any time. */
  current(name: string): McpToolInfo | undefined;
  readonly accepted: AcceptedTools;
  readonly keep: KeepText;
  /** Milliseconds that a call may take; absent: the connection's own limits. */
  readonly timeoutMs?: number;
}

/** A tool of a server as a tool of the agent. */
export interface ServerTool {
  readonly info: McpToolInfo;
  readonly tool: Tool;
}

/** A tool that is not offered. */
export interface RefusedTool {
  /** As the server calls it. */
  readonly name: string;
  /** A sentence for the user. */
  readonly reason: string;
}

/** The tools of a server, in the order of their names: it stays the same for as long as they do. */
export interface ServerTools {
  readonly tools: readonly ServerTool[];
  readonly refused: readonly RefusedTool[];
}

/**
 * Makes tools of the agent from those of a server. A name that two of its tools would have, or that is taken, is given to neither: what
 * a rule or the user allowed under it must not become another tool. Only a tool that has the name literally keeps it.
 * @param taken names of other tools, such as built-in ones and those of other servers
 */
export function createServerTools(server: ToolServer, taken: ReadonlySet<string> = new Set()): ServerTools {
  const tools: ServerTool[] = [];
  const refused: RefusedTool[] = [];
  const named = byName(server);
  const prefix = serverPrefix(server.id);
  let size = 0;
  for (const info of server.tools) {
    const name = serverToolName(server.id, info.name);
    const reason = limitProblem(tools.length, size);
    const made = reason === undefined ? toolNamed(server, info, { name, prefix, taken, same: named.get(name) ?? [] }) : { reason };
    if ('reason' in made) refused.push({ name: info.name, reason: made.reason });
    else {
      tools.push(made);
      size += JSON.stringify(made.tool.spec).length;
    }
  }
  return { tools: tools.sort((a, b) => (a.tool.spec.name < b.tool.spec.name ? -1 : 1)), refused };
}

/** Why a server can offer no more tools, as a sentence. @param size characters that those so far say of themselves */
function limitProblem(count: number, size: number): string | undefined {
  if (count >= MAX_TOOLS) return t('A server can offer {0} tools.', MAX_TOOLS);
  return size >= MAX_DEFINITIONS ? t('What the tools of a server say of themselves can take {0} characters.', MAX_DEFINITIONS) : undefined;
}

/** The tools of a server by the name that they would have. */
function byName({ id, tools }: ToolServer): ReadonlyMap<string, readonly McpToolInfo[]> {
  const named = new Map<string, McpToolInfo[]>();
  for (const info of tools) {
    const name = serverToolName(id, info.name);
    const same = named.get(name);
    if (same === undefined) named.set(name, [info]);
    else same.push(info);
  }
  return named;
}

interface Naming {
  readonly name: string;
  /** Prefix of the names of all tools of the server. */
  readonly prefix: string;
  readonly taken: ReadonlySet<string>;
  /** All tools of the server that would have the name. */
  readonly same: readonly McpToolInfo[];
}

/** Makes a tool, or says why it cannot be offered, as a sentence. */
function toolNamed(server: ToolServer, info: McpToolInfo, naming: Naming): ServerTool | { readonly reason: string } {
  const reason = nameProblem(info, naming);
  if (reason !== undefined) return { reason };
  const read = toldSchema(info.inputSchema);
  if ('problem' in read) return { reason: read.problem };
  const spec = specOf(server, info, { name: naming.name, parameters: read.told });
  return { info, tool: toolOf(server, info, { spec, schema: lazily(info.inputSchema) }) };
}

/** Why a tool cannot have its name, as a sentence. */
function nameProblem(info: McpToolInfo, { name, prefix, taken, same }: Naming): string | undefined {
  if (info.name === '') return t('It has no name.');
  if (taken.has(name)) return t('The name {0} is taken by another tool.', name);
  if (same.length === 1 || same.find((other) => name === `${prefix}${other.name}`) === info) return undefined;
  const other = same.find((each) => each !== info);
  return t('It would have the same name as the tool {0} of the server: {1}.', showName(other?.name ?? info.name), name);
}

function specOf({ id }: ToolServer, { title, description = '' }: McpToolInfo, spec: Pick<ToolSpec, 'name' | 'parameters'>): ToolSpec {
  const words = shown(description.trim() === '' ? (title ?? '') : description, MAX_DESCRIPTION);
  return { ...spec, description: `${words}${words === '' ? '' : '\n'}(A tool of the MCP server ${id}.)` };
}

/** A text of a server, not too long and with nothing hidden in it. */
function shown(text: string, limit: number): string {
  const cut = headOf(text.trim(), limit);
  return showUnseen(cut.replaceAll('\r\n', '\n')) + (cut.length < text.trim().length ? '…' : '');
}

/** Reads a schema with the first call that is checked by it. One that cannot be read is left to the server to check. */
function lazily(schema: Readonly<Record<string, unknown>>): z.ZodMiniType {
  return z.lazy(() => {
    try {
      return checkerOf(checkedSchema(schema));
    } catch {
      return z.looseObject({});
    }
  });
}

function toolOf(server: ToolServer, info: McpToolInfo, { spec, schema }: { readonly spec: ToolSpec; readonly schema: z.ZodMiniType }): Tool {
  return createForeignTool({
    spec,
    schema,
    describe: (signal) => {
      checkCurrent(server, info, spec.name);
      return describe(server, info, signal);
    },
    async execute(input, plan, context) {
      checkCurrent(server, info, spec.name);
      if (plan.foreign?.changed === true) server.accepted.accept(info);
      // The schema's root is an object.
      return call(server, info, { args: input as Readonly<Record<string, unknown>>, context });
    },
  });
}

/** @throws ToolInputError for a tool that has changed since it was listed for the model and shown to the user. */
function checkCurrent(server: ToolServer, info: McpToolInfo, name: string): void {
  const now = server.current(info.name);
  if (now === undefined) throw new ToolInputError(`The MCP server ${server.id} does not offer ${name} at the moment. Do without it.`);
  if (now !== info && toolFingerprint(now) !== toolFingerprint(info))
    throw new ToolInputError(
      `The MCP server ${server.id} has just changed the tool ${name}. Nothing was done. It can be called again after the user's next message.`,
    );
}

async function describe({ id, name = id, accepted }: ToolServer, info: McpToolInfo, signal: AbortSignal): Promise<ForeignDescription> {
  const before = accepted.before(info);
  const [change] = before === undefined ? [] : changedTools([before], [info]);
  const changed = change?.change === 'changed' ? await unifiedDiff(info.name, change, signal) : undefined;
  return {
    foreign: {
      kind: 'server',
      by: id,
      named: { server: name, tool: info.name },
      saysItReads: info.annotations.readOnly === true,
      ...(changed === undefined ? {} : { changed: true }),
    },
    ...(info.title === undefined || info.title.trim() === '' ? {} : { title: showName(headOf(info.title.trim(), MAX_TITLE)) }),
    ...present({ changed }),
  };
}

interface RunningCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
}

/** Characters of what a server says of its failure. */
const MAX_DETAIL = 2_000;

/** Explanation of a failure for the model: whether the tool may have done its work, and what can be done about it. */
const MEANING: Readonly<Record<McpErrorKind, (server: string) => string>> = {
  unreachable: (server) => `The MCP server ${server} cannot be reached. The tool did not run. The user can start the server again.`,
  unauthorized: (server) => `The MCP server ${server} wants the user to sign in. The tool did not run. Ask the user to sign in to it.`,
  timeout: (server) => `The MCP server ${server} did not answer in time. The tool may have done its work.`,
  closed: (server) => `The MCP server ${server} ended while the tool was running. It may have done its work.`,
  answered: (server) => `The MCP server ${server} answered with an error.`,
  protocol: (server) => `The MCP server ${server} sent an answer that cannot be used. The tool may have done its work.`,
  refused: (server) => `Gnomon did not do what the MCP server ${server} asked for. The tool may have done a part of its work.`,
};

/** The result of a call that failed: in English whatever the language of the interface, with what is known in the end. */
function failureOf({ kind, message }: McpError, server: string): ToolResult {
  const detail = headOf(plainText(message).trim(), MAX_DETAIL);
  return textResult(detail === '' ? MEANING[kind](server) : `${MEANING[kind](server)}\nDetails: ${detail}`, true);
}

/** Milliseconds between two lines. */
const PAUSE_MS = 250;
/** Lines of one call; a server that reports more says nothing new. */
const MAX_LINES = 400;
/** Characters of a line. */
const MAX_LINE = 200;

/** Turns the progress of a call into lines of its output: at most four a second, always ending with the newest. */
class ProgressLines {
  private last = '';
  private waiting: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private count = 0;

  constructor(private readonly write: (line: string) => void) {}

  add(progress: McpProgress): void {
    this.waiting = lineOf(progress);
    if (this.timer === undefined) this.flush();
  }

  /** Nothing is written from now on. */
  end(): void {
    clearTimeout(this.timer);
    this.count = MAX_LINES;
  }

  private flush(): void {
    const line = this.waiting;
    this.timer = undefined;
    this.waiting = undefined;
    if (line === undefined || line === this.last || this.count >= MAX_LINES) return;
    this.last = line;
    this.count += 1;
    this.write(`${line}\n`);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }
}

function lineOf({ progress, total, message = '' }: McpProgress): string {
  const words = headOf(plainText(message).replace(/\s+/g, ' ').trim(), MAX_LINE);
  const share = total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, Math.round((progress / total) * 100)));
  const amount = share === undefined ? String(progress) : `${share}%`;
  return words === '' ? amount : `${amount} ${words}`;
}

async function call(server: ToolServer, info: McpToolInfo, { args, context }: RunningCall): Promise<ToolResult> {
  const { signal, sessionId } = context;
  const lines = new ProgressLines((line) => context.output(line));
  const limit = server.timeoutMs === undefined ? {} : { hardMs: server.timeoutMs };
  try {
    const answer = server.call(info, args, { signal, ...limit, session: sessionId, progress: (progress) => lines.add(progress) });
    return await resultOf(await untilStopped(answer, signal), { server: server.id, keep: (text) => server.keep(text, sessionId) });
  } catch (error) {
    if (error instanceof McpError) return failureOf(error, server.id);
    throw error;
  } finally {
    lines.end();
  }
}

/** Waits for an answer no longer than until the user stops the call, whatever the server does: a late answer is dropped. */
function untilStopped<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AbortError());
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
