import { type Usage, NO_USAGE } from '../../../../src/domain/model/usage.js';
import { type Gate, type ModelServer, type StreamReply, gate, hangReply, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { type OpenAiServer, type Reply, chatProblem, chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import type { Round, SessionPlan } from './plan.js';

/** A call as a model makes it. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args: object;
}

/** An answer of a model, with its calls. */
export interface ScriptedRound extends Round {
  readonly calls: readonly ScriptedCall[];
}

/** What the models say in a session. */
export interface Script {
  /** A word that is in all that is said in the session, and nowhere else. */
  readonly canary: string;
  readonly wire: SessionPlan['wire'];
  readonly rounds: readonly ScriptedRound[];
}

/** A request that a server got, and what its answer took as far as it was sent. */
export interface Asked {
  readonly canary: string;
  readonly model: string;
  readonly raw: string;
  usage: Usage;
}

/** The models that are used, by their servers. */
export const MODELS = { messages: 'anthropic/claude-opus-4-6', chat: 'openrouter/maker/model' } as const;
/** Dollars for a million tokens of each of them. */
export const PRICES = {
  messages: { input: 300, output: 700, cacheRead: 100, cacheWrite: 400 },
  chat: { input: 200, output: 500, cacheRead: 50, cacheWrite: 200 },
} as const;

/** Where a session is in its script. */
interface Place {
  readonly script: Script;
  round: number;
  isTroubled: boolean;
  /** Holds the answer that is under way, behind its first words. */
  held: Gate;
}

/** The models of all sessions: two servers on loopback that say what the scripts say, check what they get, and count. */
export class Models {
  readonly asked: Asked[] = [];
  /** What was wrong with requests. */
  readonly problems: string[] = [];
  /** Told of each request before anything is answered, with the word of its session. Returns whether it is never answered. */
  arrived: (canary: string) => boolean = () => false;
  private readonly places: ReadonlyMap<string, Place>;

  private constructor(
    scripts: readonly Script[],
    private readonly messages: ModelServer,
    private readonly chat: OpenAiServer,
  ) {
    this.places = new Map(scripts.map((script) => [script.canary, { script, round: 0, isTroubled: false, held: gate() }]));
    messages.setScript(({ raw }) => this.message(raw));
    chat.setScript((request) => (request.path.endsWith('/chat/completions') ? this.completion(request.raw, chatProblem(request.body)) : json({ data: [] })));
  }

  static async start(scripts: readonly Script[]): Promise<Models> {
    const [messages, chat] = await Promise.all([startModelServer(), startOpenAiServer()]);
    return new Models(scripts, messages, chat);
  }

  /** The settings with which they are reached. */
  get settings(): Readonly<Record<string, unknown>> {
    return {
      'gnomon.anthropic.baseUrl': this.messages.url,
      'gnomon.providers': { openrouter: { baseUrl: `${this.chat.url}/v1`, keyRequired: false } },
      'gnomon.models': (['messages', 'chat'] as const).map((wire) => {
        const [, provider = '', id = ''] = /^(\w+)\/(.*)$/.exec(MODELS[wire]) ?? [];
        return { provider, id, price: PRICES[wire], contextWindow: 200_000, maxOutputTokens: 2_000 };
      }),
    };
  }

  /** The first words of the answer have come: lets it go on. */
  goOn(canary: string): void {
    this.placeOf(canary).held.open();
  }

  /** What was wrong with requests, for each server. */
  get refused(): readonly string[] {
    return [...this.problems, ...this.messages.requests.flatMap(({ problem }) => problem ?? []), ...this.messages.errors.map(String)];
  }

  async close(): Promise<void> {
    await Promise.all([this.messages.close(), this.chat.close()]);
  }

  private message(raw: string): StreamReply | ReturnType<typeof httpError> | typeof hangReply {
    const next = this.next(raw, 'messages');
    if (next === 'never') return hangReply;
    const { round, canary, asked, troubled } = next;
    if (troubled === 'fails') return httpError(500, 'api_error', `It failed for ${canary}.`);
    const [read, written] = round.tokens;
    asked.usage = { ...NO_USAGE, inputTokens: read, cacheReadTokens: 2 * read, cacheWriteTokens: 3, outputTokens: 1 };
    const start = { input_tokens: read, cache_read_input_tokens: 2 * read, cache_creation_input_tokens: 3, output_tokens: 1 };
    const begun = reply()
      .usage(start, { output_tokens: written })
      .thinking(`I think of ${canary}.`, signatureOf(canary))
      .text(`I am ${canary}. `)
      .hold(this.hold(canary, () => (asked.usage = { ...asked.usage, outputTokens: troubled === 'cuts' ? 1 : written })));
    if (troubled === 'cuts') return begun.cut();
    return round.calls.reduce((whole, { id, name, args }) => whole.toolCall(name, args, { id }), begun);
  }

  private completion(raw: string, problem: string | undefined): Reply {
    const next = this.next(raw, 'chat');
    if (problem !== undefined) this.problems.push(problem);
    if (next === 'never') return { kind: 'hang' };
    const { round, canary, asked, troubled } = next;
    if (troubled === 'fails') return json({ error: { message: `It failed for ${canary}.` } }, 500);
    const [read, written] = round.tokens;
    const details = [{ type: 'reasoning.text', text: `I think of ${canary}.`, signature: signatureOf(canary), index: 0 }];
    const whole: Usage = { ...NO_USAGE, inputTokens: read, cacheReadTokens: 2 * read, outputTokens: written };
    const held = this.hold(canary, () => (asked.usage = troubled === 'cuts' ? NO_USAGE : whole));
    const begun = [chunk({ reasoning_details: details }), chunk({ content: `I am ${canary}. ` }), held];
    if (troubled === 'cuts') return sse(...begun, 'cut');
    const calls = round.calls.map(({ id, name, args }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] }),
    );
    const usage = { prompt_tokens: 3 * read, completion_tokens: written, total_tokens: 3 * read + written, prompt_tokens_details: { cached_tokens: 2 * read } };
    return sse(...begun, ...calls, chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'), { data: { choices: [], usage } }, DONE);
  }

  /** Finds out whose request it is, and what is next in its session. */
  private next(raw: string, wire: SessionPlan['wire']): 'never' | { round: ScriptedRound; canary: string; asked: Asked; troubled: Round['trouble'] } {
    const owners = [...this.places.keys()].filter((canary) => raw.includes(canary));
    const [canary = ''] = owners;
    if (owners.length !== 1) this.problems.push(`A request with the words of ${owners.join(' and ') || 'nobody'}`);
    const place = this.placeOf(canary);
    if (place.script.wire !== wire) this.problems.push(`A request of ${canary} came over ${wire}`);
    const asked: Asked = { canary, model: MODELS[wire], raw, usage: NO_USAGE };
    this.asked.push(asked);
    if (this.arrived(canary)) return 'never';
    const round = place.script.rounds[place.round] ?? DONE_ROUND;
    const troubled = place.isTroubled ? 'none' : round.trouble;
    place.isTroubled = troubled !== 'none';
    if (troubled === 'none') place.round += 1;
    return { round, canary, asked, troubled };
  }

  /** Holds an answer until its first words have come. What it takes is counted when it goes on. */
  private hold(canary: string, goesOn: () => void): Gate {
    const held = gate();
    this.placeOf(canary).held = held;
    return { ...held, pass: () => held.pass().then(goesOn) };
  }

  private placeOf(canary: string): Place {
    const place = this.places.get(canary);
    if (place === undefined) throw new Error(`There is no session ${canary}.`);
    return place;
  }
}

/** What is said when all of a script is said. */
const DONE_ROUND: ScriptedRound = { calls: [], deeds: [], trouble: 'none', tokens: [7, 5] };

/** What signs the thinking in a session. */
export function signatureOf(canary: string): string {
  return Buffer.from(`signed for ${canary}`).toString('base64');
}
