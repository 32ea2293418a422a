import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server/index.js';
import { user } from '../../support/protocol-messages.js';
import { ScriptedModels } from '../../support/scripted-models.js';

/** A message as the Agent SDK gives it. It is not told by its types here: they are compared in a stage of their own. */
export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** What is used of a query of the Agent SDK. */
export interface Query extends AsyncIterable<Message> {
  interrupt(): Promise<unknown>;
  setPermissionMode(mode: string): Promise<unknown>;
  setModel(model?: string): Promise<void>;
  setMaxThinkingTokens(tokens: number | null): Promise<void>;
  mcpServerStatus(): Promise<readonly Message[]>;
  getContextUsage(): Promise<Message>;
  rewindFiles(message: string, options?: { readonly dryRun?: boolean }): Promise<Message>;
  stopTask(task: string): Promise<void>;
  supportedModels(): Promise<readonly unknown[]>;
  initializationResult(): Promise<Message>;
}

type Options = Readonly<Record<string, unknown>>;

/** What is used of the Agent SDK. */
export interface AgentSdk {
  query(input: { readonly prompt: string | AsyncIterable<object>; readonly options: Options }): Query;
  createSdkMcpServer(server: object): unknown;
  tool(name: string, description: string, shape: object, run: (args: never) => Promise<object>): unknown;
}

/** Programs that scenarios run with. */
export interface Programs {
  readonly sdk: AgentSdk;
  /** Absolute path of Gnomon’s program. */
  readonly gnomon: string;
}

/** A place for one scenario: a model server, and folders of its own. */
export class Rig extends ScriptedModels {
  /** All messages that came. */
  readonly recorded: Message[] = [];

  private constructor(
    readonly sdk: AgentSdk,
    private readonly gnomon: string,
    readonly server: ModelServer,
    /** Absolute paths of the folder that it works in, and of that for what is kept. */
    readonly folder: string,
    readonly home: string,
  ) {
    super();
  }

  static async open({ sdk, gnomon }: Programs): Promise<Rig> {
    const folder = (name: string): string => mkdtempSync(join(tmpdir(), `gnomon-sdk-${name}-`));
    return new Rig(sdk, gnomon, await startModelServer(), folder('work'), folder('home'));
  }

  async close(): Promise<void> {
    await this.server.close();
    for (const folder of [this.folder, this.home]) rmSync(folder, { recursive: true, force: true });
  }

  query(prompt: string | AsyncIterable<object>, options: Options = {}): Query {
    const { PATH = '', SystemRoot, TMPDIR } = process.env;
    const env = {
      ...{ PATH, SystemRoot, TMPDIR, HOME: this.home, USERPROFILE: this.home, XDG_DATA_HOME: join(this.home, 'data'), LANG: 'C.UTF-8' },
      ...{ ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: this.server.url },
    };
    const usual = { pathToClaudeCodeExecutable: this.gnomon, cwd: this.folder, env, model: 'anthropic/claude-sonnet-5-5' };
    const query = this.sdk.query({ prompt, options: { ...usual, ...options } });
    const begin = query[Symbol.asyncIterator].bind(query);
    query[Symbol.asyncIterator] = () => {
      const all = begin();
      const next = all.next.bind(all);
      all.next = async () => {
        const result = await next();
        if (result.done !== true) this.recorded.push(result.value);
        return result;
      };
      return all;
    };
    return query;
  }

  /** All messages of a run. */
  async all(prompt: string | AsyncIterable<object>, options: Options = {}): Promise<readonly Message[]> {
    return (await this.ended(prompt, options)).messages;
  }

  /** All messages of a run, and what it threw in the end. */
  async ended(
    prompt: string | AsyncIterable<object>,
    options: Options = {},
  ): Promise<{ readonly messages: readonly Message[]; readonly error: string; readonly stderr: string }> {
    const messages: Message[] = [];
    let stderr = '';
    try {
      for await (const message of this.query(prompt, { ...options, stderr: (text: string) => (stderr += text) })) messages.push(message);
    } catch (error) {
      return { messages, error: String(error), stderr };
    }
    return { messages, error: '', stderr };
  }
}

/** Those of some messages that are of a type. */
export function ofType(messages: readonly Message[], type: string): readonly Message[] {
  return messages.filter((message) => message.type === type);
}

/** How its turns ended: the texts of results, or their subtypes. */
export function outcomes(messages: readonly Message[]): readonly unknown[] {
  return ofType(messages, 'result').map(({ subtype, result }) => (subtype === 'success' ? result : subtype));
}

/** Messages of the user that come one after the other, as a scenario lets them. */
export class Conversation implements AsyncIterable<object> {
  private readonly waiting: object[] = [];
  private wake: () => void = () => undefined;
  private over = false;

  say(content: string, more: object = {}): void {
    this.waiting.push(user(content, more));
    this.wake();
  }

  end(): void {
    this.over = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<object> {
    for (;;) {
      const next = this.waiting.shift();
      if (next !== undefined) yield next;
      else if (this.over) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
