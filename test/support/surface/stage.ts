import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UserContent } from '../../../src/domain/model/content.js';
import type { PermissionMode } from '../../../src/domain/tool/permission.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import type { StartedTurn } from '../../../src/engine/events.js';
import { createGate } from '../../../src/permission/gate.js';
import type { ViewState, ViewToolCall } from '../../../src/protocol/view-state.js';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { createTools } from '../../../src/tool/index.js';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import { loadAnalyzer } from '../../unit/permission/shell/rig.js';
import { type MemoryWorkspace, createMemoryWorkspace } from '../memory-workspace/index.js';
import { memorySession } from '../memory-session.js';
import { type ModelServer, type Reply, httpError, startModelServer } from '../model-server/index.js';
import { HELD } from '../sandboxes.js';
import { waitFor } from '../../vscode/wait.mjs';

const SAMPLE = resolve('test/fixtures/sample-workspace');
/** The person's home and project, as paths show them. */
export const HOME = '/home/ada';
export const ROOT = `${HOME}/work/rooms`;
/** By this name a panel knows the conversation of a scene. */
export const SESSION = 'scene';
const TIMEOUT_MS = 30_000;
/** Milliseconds within which prompts that come together have come. */
const TOGETHER_MS = 500;

/** What differs from a conversation in the mode that asks. */
export interface StageOptions {
  readonly mode?: PermissionMode;
  /** Attempts after a failure that passes. */
  readonly retries?: number;
  /** How it waits between them. Without it the clock is waited for. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Everything that stands behind a panel but VS Code: the real session, tools, permissions and projection on a project in
 * memory, with a server as the model. What a scene shows is therefore what the product makes of what a model says, and
 * never written down by hand. It talks to the server as if it were the one of Anthropic, whose name messages show. Commands run nothing, they do what the scene says.
 */
export class Stage {
  private constructor(
    readonly conversation: Conversation,
    private readonly server: ModelServer,
    private readonly memory: MemoryWorkspace,
  ) {}

  /** Begins an empty conversation. */
  static async start({ mode = 'default', retries = 0, wait }: StageOptions = {}): Promise<Stage> {
    const [server, files, analyzer] = await Promise.all([startModelServer({ foreignThinking: true }), sampleFiles(), loadAnalyzer()]);
    const memory = createMemoryWorkspace({ files, folders: [ROOT], home: HOME });
    const { workspace, documents } = memory;
    const questions = new OpenQuestions();
    const gate = createGate({
      workspace,
      documents,
      sandbox: HELD,
      home: HOME,
      caseInsensitive: false,
      rules: { rules: () => [], add: () => Promise.resolve(), update: () => Promise.resolve() },
      analyzer: () => Promise.resolve(analyzer),
      trusted: () => true,
    });
    const session = createAgentSession({
      ...memorySession({ systemPrompt: 'A scene.', tools: createTools({ ...memory, questions }), gate }),
      provider: createAnthropicProvider({
        apiKey: () => Promise.resolve('key'),
        baseUrl: () => undefined,
        fetch: (input, init) => fetch((input instanceof Request ? input.url : input.toString()).replace('https://api.anthropic.com', server.url), init),
      }),
      model: anthropicModelInfo(''),
      mode,
      maxRetries: retries,
      ...(wait === undefined ? {} : { wait }),
    });
    return new Stage(new Conversation(session, {}, { questions }), server, memory);
  }

  /** What panels show now. */
  get view(): ViewState {
    this.conversation.view.flush();
    return this.conversation.view.state;
  }

  /** The images that the person sent, in order. */
  get images(): readonly Uint8Array[] {
    return this.conversation.session.messages.flatMap(({ role, content }) =>
      role === 'user' ? content.flatMap((block) => (block.type === 'image' ? [block.data] : [])) : [],
    );
  }

  /** Says what a command does: gives an output and ends, or never ends. */
  command(line: string, output: string, end: { readonly exitCode: number; readonly durationMs?: number } | 'never' = { exitCode: 0 }): void {
    if (end !== 'never') return this.memory.processes.on(line, { output, durationMs: 1_200, ...end });
    this.memory.processes.on(line, async (_, signal, tell) => {
      tell(output);
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      return { exitCode: undefined, cancelled: true };
    });
  }

  /** Sends a message, which the model answers with these, one for each request. The turn may still be running. */
  say(words: string | readonly UserContent[], ...replies: readonly Reply[]): StartedTurn {
    const queue = [...replies];
    this.server.setScript(() => queue.shift() ?? httpError(500, 'api_error', 'The scene has no more replies.'));
    return this.conversation.send(typeof words === 'string' ? [{ type: 'text', text: words }] : words);
  }

  /** Sends a message and plays the turn to its end. */
  async turn(words: string | readonly UserContent[], ...replies: readonly Reply[]): Promise<void> {
    await this.say(words, ...replies).turn;
  }

  /** Has the model answer once more, as the person does after an error. */
  async retry(): Promise<void> {
    const ended = new Promise<void>((done) => {
      this.conversation.session.onEvent(({ type }) => {
        if (type === 'turn_ended') done();
      });
    });
    this.conversation.retry();
    await ended;
  }

  /** Waits until so many calls ask for permission, or, where they ask one after the other, until the first does; gives the first. */
  async asked(count = 1): Promise<ViewToolCall> {
    const waiting = (): readonly ViewToolCall[] => callsOf(this.view).filter(({ status }) => status === 'awaiting_approval');
    await this.until('a permission prompt', () => waiting().length > 0);
    if (count > 1) await this.until('all permission prompts', () => waiting().length >= count, TOGETHER_MS).catch(() => undefined);
    const [first] = waiting();
    if (first === undefined) throw new Error('Nothing is asked any more.');
    return first;
  }

  /** Allows the next call that asks. */
  async allow(): Promise<void> {
    this.conversation.answer((await this.asked()).id, { type: 'allow' });
  }

  /** Waits for a call of a tool that runs, and gives it. */
  async running(tool: string): Promise<ViewToolCall> {
    const found = (): ViewToolCall | undefined => callsOf(this.view).find(({ name, status }) => name === tool && status === 'running');
    await this.until(`${tool} to run`, () => found() !== undefined);
    const call = found();
    if (call === undefined) throw new Error(`${tool} does not run any more.`);
    return call;
  }

  /** Waits until what is shown is so. */
  async until(what: string, isSo: (view: ViewState) => boolean, timeoutMs = TIMEOUT_MS): Promise<void> {
    await waitFor(() => isSo(this.view), { what, timeoutMs, intervalMs: 5 });
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await this.conversation.session.close();
    await this.server.close();
  }
}

/** All calls of a conversation. */
function callsOf({ items }: ViewState): readonly ViewToolCall[] {
  return items.flatMap((item) => (item.kind === 'answer' ? item.blocks.flatMap((block) => (block.type === 'tool' ? [block.call] : [])) : []));
}

async function sampleFiles(): Promise<Readonly<Record<string, string>>> {
  const entries = (await readdir(SAMPLE, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(SAMPLE.length));
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [`${ROOT}${path}`, await readFile(join(SAMPLE, path), 'utf8')] as const)));
}
