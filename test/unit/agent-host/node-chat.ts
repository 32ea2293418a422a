import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { Conversation, OpenQuestions } from '../../../src/chat/conversation/conversation.js';
import type { PermissionMode, ApprovalAnswer } from '../../../src/domain/tool/permission.js';
import type { Turn } from '../../../src/engine/events.js';
import type { ViewApproval, ViewState, ViewToolCall } from '../../../src/protocol/view-state.js';
import { eventually } from '../../support/eventually.js';
import { answering, type ModelServer, type Reply, reply, startModelServer, toolResults } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { type NodeHost, nodeHost, type NodeHostPlace } from './node-host.js';

/** Key that the model server takes. */
export const KEY = 'sk-of-the-test';

/** A call that waits for an answer, as the chat shows it. */
export type ShownPrompt = ViewToolCall & { readonly approval: ViewApproval };

/** What differs in a {@link NodeChat}. */
interface NodeChatWish extends Pick<NodeHostPlace, 'settings' | 'trusted' | 'git' | 'symbols' | 'dialogs' | 'decisionGitMs' | 'startedWith'> {
  /** Absolute path of the workspace folder. Default: one of its own. */
  readonly folder?: string;
  /** Files of the home folder and of the workspace, by their relative paths: they are there before the host is. */
  readonly inHome?: Readonly<Record<string, string>>;
  readonly inFolder?: Readonly<Record<string, string>>;
}

/** A host from ports of Node with a model server, a workspace folder, and a home of its own; all of it goes with the test. */
export async function nodeChat({ folder = temporaryFolder(), inHome = {}, inFolder = {}, settings = {}, ...place }: NodeChatWish = {}): Promise<NodeChat> {
  const server = await startModelServer({ apiKey: KEY, foreignThinking: true });
  onTestFinished(() => server.close());
  const [home, storage] = [temporaryFolder(), temporaryFolder()];
  for (const [name, value] of Object.entries({ HOME: home, USERPROFILE: home, npm_config_userconfig: join(home, '.npmrc'), ANTHROPIC_API_KEY: KEY }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  write(home, inHome);
  write(folder, inFolder);
  const models = { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5' };
  const open = (): Promise<NodeHost> => nodeHost({ folder, storage, settings: { ...models, ...settings }, log: new MemoryLog(), ...place });
  const chat = new NodeChat(server, await open(), { folder, home, open });
  onTestFinished(() => chat.close());
  await chat.begin();
  return chat;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** What the chat shows of a session that works with real tools, files, and processes. */
export class NodeChat {
  conversation!: Conversation;
  readonly folder: string;
  readonly home: string;
  private readonly open: () => Promise<NodeHost>;
  private turn: Promise<Turn> | undefined;

  /** @param open opens another host in the same place */
  constructor(
    readonly server: ModelServer,
    public host: NodeHost,
    { folder, home, open }: { readonly folder: string; readonly home: string; readonly open: () => Promise<NodeHost> },
  ) {
    [this.folder, this.home, this.open] = [folder, home, open];
  }

  /** Closes the host, and opens another one in its place, as when the window is opened again. The chat is closed before. */
  async restart(): Promise<void> {
    await this.host.close();
    this.host = await this.open();
  }

  /** Begins an empty chat; the one before is closed. */
  async begin(mode?: PermissionMode): Promise<void> {
    await this.end();
    const questions = new OpenQuestions();
    const session = await this.host.start({ questions, ...(mode === undefined ? {} : { mode }) });
    this.conversation = new Conversation(session, {}, { questions });
  }

  /** Goes on with another model. @param key `provider/model` */
  async select(key: string): Promise<void> {
    const { provider, model } = await this.host.host.models.choose(key);
    this.conversation.setModel(provider, model);
  }

  /** Absolute path of a file of the workspace. */
  at(name: string): string {
    return join(this.folder, name);
  }

  isThere(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** Has the model answer the next message, and what its calls gave by closing words. */
  answers(first: Reply, last = 'That was all.'): void {
    this.server.setScript(answering(first, last));
  }

  /** Has the model answer one request after the other. */
  inTurn(...replies: readonly Reply[]): void {
    const left = [...replies];
    this.server.setScript(() => left.shift() ?? reply().text('That was all.'));
  }

  send(words: string): void {
    this.turn = this.conversation.send([{ type: 'text', text: words }]).turn;
  }

  /** Resolves when the turn has ended. */
  async ended(): Promise<Turn> {
    if (this.turn === undefined) throw new Error('Nothing was sent.');
    const turn = await this.turn;
    this.conversation.view.flush();
    return turn;
  }

  /** Sends a message of which no call asks. */
  async say(words: string): Promise<Turn> {
    this.send(words);
    return this.ended();
  }

  /** The first call that waits for an answer, once one does. */
  prompt(): Promise<ShownPrompt> {
    return eventually(() => {
      const [first] = this.prompts;
      if (first === undefined) throw new Error(`Nothing asks: ${JSON.stringify(this.calls)}`);
      return first;
    });
  }

  /** The calls that wait for an answer. */
  get prompts(): readonly ShownPrompt[] {
    return this.calls.filter((call): call is ShownPrompt => call.approval !== undefined);
  }

  /** All calls that the chat shows. */
  get calls(): readonly ViewToolCall[] {
    const blocks = this.shown.items.flatMap((item) => (item.kind === 'answer' ? item.blocks : []));
    return blocks.flatMap((block) => (block.type === 'tool' ? [block.call] : []));
  }

  /** What the chat tells beside messages and answers. */
  get notices(): readonly string[] {
    return this.shown.items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  }

  /** All that the chat shows now. */
  get shown(): ViewState {
    this.conversation.view.flush();
    return this.conversation.view.state;
  }

  /** Answers the first prompt, and waits until it is another one or none. */
  async answer(answer: ApprovalAnswer): Promise<void> {
    const { id, approval } = await this.prompt();
    const revision = approval.revision ?? 1;
    if (!this.conversation.answer(id, answer, revision)) throw new Error('The answer was not taken.');
    await eventually(() => {
      const [first] = this.prompts;
      if (first?.id === id && (first.approval.revision ?? 1) === revision) throw new Error(`It still asks: ${first.subject}`);
    });
  }

  allow(): Promise<void> {
    return this.answer({ type: 'allow' });
  }

  deny(): Promise<void> {
    return this.answer({ type: 'deny' });
  }

  /** What the tools told the model in the latest request, in the order of its calls. */
  get results(): readonly string[] {
    return toolResults(this.server);
  }

  /** The latest request as it was sent. */
  get sent(): string {
    return this.server.requests.at(-1)?.raw ?? '';
  }

  async close(): Promise<void> {
    await this.end();
    await this.host.close();
  }

  private async end(): Promise<void> {
    await (this.conversation as Conversation | undefined)?.session.close();
  }
}

/** All words of something that is shown. */
export function wordsOf(shown: unknown): string {
  if (typeof shown === 'string') return shown;
  return typeof shown === 'object' && shown !== null ? Object.values(shown).map(wordsOf).join('\n') : '';
}
