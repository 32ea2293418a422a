import { addUsage, costOf, NO_USAGE, type Usage } from '../../src/domain/model/usage.js';
import { partOf, results } from './gives-away.js';
import { type ModelServer, type RecordedRequest, reply } from './model-server/index.js';
import { type ChatRequest, chatProblem, chunk, DONE, json, type OpenAiServer, type Reply, sse } from './openai-server/index.js';

/** The models of a job, by their wires. */
export const MODELS = { messages: 'anthropic/claude-sonnet-5-5', chat: 'openrouter/maker/model' } as const;
type Wire = keyof typeof MODELS;

/** Dollars for a million tokens of each: an answer costs more than a cent. */
const PRICES = { messages: { input: 3, output: 15, cacheRead: 1, cacheWrite: 4 }, chat: { input: 2, output: 8, cacheRead: 1, cacheWrite: 2 } } as const;

/** A request, whichever wire it came over. */
interface Asked {
  readonly wire: Wire;
  /** What the agent that sent it was told, which begins with `PART`; empty for the chat. */
  readonly part: string;
  /** What the last calls brought. */
  readonly results: readonly string[];
  /** Whether it has a text anywhere. */
  readonly has: (text: string) => boolean;
}

/** What a model answers: a text or calls. */
interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, args: object])[];
}

/** Decides what a model answers. */
export type SaysOf = (asked: Asked) => Said | Promise<Said>;

/** The settings with which the model of the second wire is there, and both have a price. @param prefix of their names */
export function settingsOfTwoWires(chat: Pick<OpenAiServer, 'url'>, prefix = ''): Readonly<Record<string, unknown>> {
  const models = (['messages', 'chat'] as const).map((wire) => {
    const [, provider = '', id = ''] = /^(\w+)\/(.*)$/.exec(MODELS[wire]) ?? [];
    return { provider, id, price: PRICES[wire], contextWindow: 200_000, maxOutputTokens: 4_000 };
  });
  return { [`${prefix}providers`]: { openrouter: { baseUrl: `${chat.url}/v1`, keyRequired: false } }, [`${prefix}models`]: models };
}

/** Two model servers with one script: the messages API of Anthropic and the chat completions of OpenAI. Each answer reports tokens of its own number, which are added up. */
export class TwoWires {
  private readonly used = new Map<string, Readonly<Record<Wire, Usage>>>();
  private answered = 0;
  /** How many requests the servers got before. */
  private readonly before: Readonly<Record<Wire, number>>;

  constructor(
    private readonly messages: ModelServer,
    private readonly chat: OpenAiServer,
  ) {
    this.before = { messages: messages.requests.length, chat: chat.requests.length };
  }

  /** Has models of both wires answer so from now on. */
  setScript(says: SaysOf): void {
    this.messages.setScript(async (request) => {
      const part = partOf(request);
      const { text, calls = [] } = await says({ wire: 'messages', part, results: results(request), has: (words) => request.raw.includes(words) });
      const [read, written] = this.report(part, 'messages');
      const begun = reply().usage({ input_tokens: read, output_tokens: 1 }, { output_tokens: written });
      return calls.reduce<ReturnType<typeof reply>>((all, call) => all.toolCall(...call), text === undefined ? begun : begun.text(text));
    });
    this.chat.setScript(async (request) => {
      if (!request.path.endsWith('/chat/completions')) return json({ data: [] });
      const part = partIn(request);
      const said = await says({ wire: 'chat', part, results: resultsIn(request), has: (words) => request.raw.includes(words) });
      return completion(said, this.report(part, 'chat'));
    });
  }

  /** What the servers have reported for one agent, or with '' for the chat alone. */
  reported(part: string): Readonly<Record<Wire, Usage>> {
    return this.used.get(part) ?? { messages: NO_USAGE, chat: NO_USAGE };
  }

  /** The same for all together. */
  get total(): Readonly<Record<Wire, Usage>> {
    const sum = (wire: Wire): Usage => [...this.used.values()].reduce((all, each) => addUsage(all, each[wire]), NO_USAGE);
    return { messages: sum('messages'), chat: sum('chat') };
  }

  /** What was wrong with requests. */
  get problems(): readonly string[] {
    const { messages, chat } = this.asked;
    const ofChat = chat.flatMap(({ path, body }) => (path.endsWith('/chat/completions') ? (chatProblem(body) ?? []) : []));
    return [...ofChat, ...messages.flatMap(({ problem }) => problem ?? []), ...this.messages.errors.map(String)];
  }

  /** Waits until no request is under way. @returns how many were ended by their client before they were answered */
  async over(): Promise<number> {
    const { messages, chat } = this.asked;
    const all = await Promise.all([...messages, ...chat].map(({ closedByClient }) => closedByClient));
    return all.filter((isCut) => isCut).length;
  }

  private get asked(): { readonly messages: readonly RecordedRequest[]; readonly chat: readonly ChatRequest[] } {
    return { messages: this.messages.requests.slice(this.before.messages), chat: this.chat.requests.slice(this.before.chat) };
  }

  private report(part: string, wire: Wire): readonly [read: number, written: number] {
    this.answered += 1;
    const [read, written] = [10_000 + this.answered, 100 + this.answered];
    const before = this.reported(part);
    this.used.set(part, { ...before, [wire]: addUsage(before[wire], { ...NO_USAGE, inputTokens: read, outputTokens: written }) });
    return [read, written];
  }
}

/** Tokens and dollars of what was reported over both wires. */
export function sumOf(used: Readonly<Record<Wire, Usage>>): { readonly tokens: number; readonly costUsd: number } {
  const { inputTokens, outputTokens } = addUsage(used.messages, used.chat);
  return { tokens: inputTokens + outputTokens, costUsd: costOf(used.messages, PRICES.messages) + costOf(used.chat, PRICES.chat) };
}

function completion({ text, calls = [] }: Said, [read, written]: readonly [read: number, written: number]): Reply {
  const made = calls.map(([name, args], index) =>
    chunk({ tool_calls: [{ index, id: `call_${read}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }),
  );
  const usage = { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
  const words = text === undefined ? [] : [chunk({ content: text })];
  return sse(...words, ...made, chunk({}, made.length > 0 ? 'tool_calls' : 'stop'), { data: { choices: [], usage } }, DONE);
}

type Message = NonNullable<ChatRequest['body']['messages']>[number];

function partIn({ body }: ChatRequest): string {
  const first = body.messages?.find(({ role }) => role === 'user');
  return /PART [^"\\]*/.exec(JSON.stringify(first?.['content'] ?? ''))?.[0] ?? '';
}

/** The results at the end of a request. */
function resultsIn({ body: { messages = [] } }: ChatRequest): readonly string[] {
  const before = messages.findLastIndex(({ role }) => role !== 'tool');
  return messages.slice(before + 1).map(textOf);
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
