import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { text, type ToolCallBlock } from '../../../../src/domain/model/content.js';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { type AssistantMessage, type Message, textContent, toolCalls } from '../../../../src/domain/model/message.js';
import type { Tool, ToolResult } from '../../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { createProcesses } from '../../../../src/node/process/processes.js';
import { createRipgrepSearch } from '../../../../src/node/search/ripgrep.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { createDemoProvider } from '../../../../src/provider/demo/provider.js';
import { createTools } from '../../../../src/tool/index.js';
import { toolContext } from '../../../support/memory-workspace/index.js';
import { settledPlan } from '../../../support/settled-plan.js';

const SAMPLE = resolve('test/fixtures/sample-workspace');
const NOW = '2026-01-02T03:04:05Z';

const processes = createProcesses({ logFolder: join(tmpdir(), 'gnomon-demo-logs'), env: process.env });

/** The result of a call that does not run; undefined for calls that run. */
export type Decision = (call: ToolCallBlock) => ToolResult | undefined | Promise<ToolResult | undefined>;

/** What a model gets of a call that was not carried out. */
export function failure(message: string): ToolResult {
  return { content: [text(message)], isError: true };
}

/** A conversation with the demo in a folder, through the real tools. */
export class Conversation {
  readonly messages: Message[] = [];
  private readonly tools: readonly Tool[];
  private readonly provider = createDemoProvider({ now: () => NOW, pace: { charactersPerSecond: Infinity } });

  constructor(readonly folder: string) {
    const workspace = createWorkspace(() => [{ name: 'sample', path: folder }], folder);
    const search = createRipgrepSearch(() => Promise.resolve(rgPath));
    this.tools = createTools({ workspace, documents: createDiskDocuments(), search, processes, readGuard: () => Promise.resolve(() => true) });
  }

  /** Sends a message and plays the turn to its end. Returns what the demo said last. */
  async send(message: string, decide: Decision = () => undefined): Promise<string> {
    this.say(message);
    for (let round = 0; round < 20; round += 1) {
      const answer = await this.answer();
      this.messages.push(answer);
      if (answer.stopReason !== 'tool_use') return textContent(answer);
      for (const call of toolCalls(answer)) this.messages.push(await this.result(call, decide));
    }
    throw new Error('The demo does not come to an end.');
  }

  say(message: string): void {
    this.messages.push({ role: 'user', content: [text(message)], timestamp: NOW });
  }

  /** One answer, or the part of it before a number of events have come. */
  async answer(events = Infinity): Promise<AssistantMessage> {
    const abort = new AbortController();
    const stream = this.provider.stream(this.request(), abort.signal);
    for (let seen = 0; seen < events; seen += 1) {
      if ((await stream.next()) === undefined) return stream.message();
    }
    abort.abort();
    await stream.next().catch(() => undefined);
    return stream.message();
  }

  /** Everything that the demo has said. */
  get said(): string {
    return this.messages.map((message) => (message.role === 'assistant' ? textContent(message) : '')).join('\n\n');
  }

  /** The calls so far, as `name subject`. */
  get calls(): readonly string[] {
    return this.messages
      .flatMap((message) => (message.role === 'assistant' ? toolCalls(message) : []))
      .map(({ name, arguments: json }) => {
        const args = JSON.parse(json) as Record<string, string>;
        return `${name} ${args['command'] ?? args['file_path'] ?? args['pattern'] ?? ''}`;
      });
  }

  private request() {
    const tools = this.tools.map((tool) => tool.spec);
    return { model: 'demo', systemPrompt: '', messages: [...this.messages], tools, effort: 'medium' as const };
  }

  private async result(call: ToolCallBlock, decide: Decision): Promise<Message> {
    const result = (await decide(call)) ?? (await this.run(call));
    return { role: 'tool_result', toolCallId: call.id, toolName: call.name, ...result, timestamp: NOW };
  }

  /** Carries out a call. */
  async run(call: ToolCallBlock): Promise<ToolResult> {
    const tool = this.tools.find(({ spec }) => spec.name === call.name);
    if (tool === undefined) throw new Error(`There is no tool ${call.name}.`);
    const context = toolContext();
    try {
      return await tool.execute(await settledPlan(tool, JSON.parse(call.arguments) as unknown, context), context);
    } catch (error) {
      if (error instanceof ToolInputError) return failure(error.message);
      throw error;
    }
  }
}

const folders: string[] = [];

/** A copy of the sample workspace, changed by the test. */
export async function sampleCopy(change: (folder: string) => Promise<unknown> = () => Promise.resolve()): Promise<string> {
  const folder = await emptyFolder();
  await cp(SAMPLE, folder, { recursive: true });
  await change(folder);
  return folder;
}

export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon demo '));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

/** Replaces a text that must be there. */
export async function replaceIn(file: string, before: string, after: string): Promise<void> {
  const content = await readFile(file, 'utf8');
  if (!content.includes(before)) throw new Error(`${file} does not contain ${before}`);
  await writeFile(file, content.replaceAll(before, after));
}

/** Every file below a folder with its content. */
export async function snapshot(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const)));
}

/** The lines that differ between two snapshots, as `file: new line`. */
export function changedLines(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  if ([...before.keys()].sort().join() !== [...after.keys()].sort().join()) throw new Error('Files came or went.');
  return [...after].flatMap(([file, content]) => {
    const olds = (before.get(file) ?? '').split('\n');
    const news = content.split('\n');
    if (olds.length !== news.length) return [`${file}: ${news.length - olds.length} lines more`];
    return news.filter((line, index) => line !== olds[index]).map((line) => `${file}: ${line.trim()}`);
  });
}
