import type { EventStream, StreamPart } from '../../../src/domain/model/event-stream.js';
import type { StopReason } from '../../../src/domain/model/message.js';
import type { ModelInfo, Provider, Request } from '../../../src/domain/model/provider.js';
import type { Usage } from '../../../src/domain/model/usage.js';
import { PartStream } from '../../../src/provider/part-stream.js';
import { brokenRules } from './api-rules.js';
import { Latch } from './latch.js';

export { brokenRules } from './api-rules.js';
export { Latch } from './latch.js';
import { USUAL_EFFORTS } from '../../../src/domain/model/effort.js';

/** One step of a scripted answer: a part, a point to wait at, or an error to fail with. */
export type Step = StreamPart | Latch | Error;
/** A scripted answer, or a function of the request that makes one. */
export type Script = readonly Step[] | ((request: Request) => readonly Step[]);

/** What every test model can do. */
export const TEST_MODEL: ModelInfo = {
  provider: 'scripted',
  id: 'model-1',
  label: 'Model 1',
  contextWindow: 200_000,
  maxOutputTokens: 8_000,
  pricing: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
  efforts: USUAL_EFFORTS,
  supportsImages: true,
  supportsTools: true,
};

/** What the test can do around each pull; awaited. */
export type PullHook = (point: string) => Promise<void> | void;

/**
 * A provider that plays scripts, one an answer, on the real {@link PartStream}. It fails loudly when it is asked more
 * often than scripted, and when it is sent what no model API would accept.
 */
export class ScriptedProvider implements Provider {
  readonly name: string;
  /** Every request, in order. */
  readonly requests: Request[] = [];
  /** Rules that requests broke. A test that looks at nothing else must look here. */
  readonly broken: string[] = [];
  private readonly scripts: Script[];
  private readonly hook: PullHook;

  constructor(scripts: readonly Script[], options: { readonly name?: string; readonly hook?: PullHook } = {}) {
    this.scripts = [...scripts];
    this.name = options.name ?? 'scripted';
    this.hook = options.hook ?? ((): void => undefined);
  }

  /** Replaces the answers that have not been asked for yet. */
  replace(...scripts: readonly Script[]): void {
    this.scripts.splice(0, this.scripts.length, ...scripts);
  }

  stream(request: Request, signal: AbortSignal): EventStream {
    this.requests.push(request);
    this.broken.push(...brokenRules(request));
    if (this.broken.length > 0) throw new Error(`The request breaks the rules of model APIs:\n${this.broken.join('\n')}`);
    const script = this.scripts.shift();
    if (script === undefined) throw new Error(`There is no script for request ${this.requests.length}.`);
    const steps = typeof script === 'function' ? script(request) : script;
    return new PartStream(
      () => this.play(steps),
      signal,
      () => '2026-01-01T00:00:01Z',
    );
  }

  private async *play(steps: readonly Step[]): AsyncGenerator<StreamPart> {
    for (const step of steps) {
      await this.hook(step instanceof Latch ? 'latch' : step instanceof Error ? 'error' : step.type);
      if (step instanceof Latch) await step.pass();
      else if (step instanceof Error) throw step;
      else yield step;
    }
    await this.hook('end');
  }
}

/** Parts that say a text, in deltas of the pieces given. */
export function says(index: number, ...pieces: readonly string[]): readonly StreamPart[] {
  return [...pieces.map((delta) => ({ type: 'text' as const, index, delta })), { type: 'block_end', index }];
}

/** Parts that think, with a signature; an empty one is left out. */
export function thinks(index: number, thought: string, signature = 'proof'): readonly StreamPart[] {
  const proof = signature === '' ? [] : [{ type: 'signature' as const, index, signature: Buffer.from(signature) }];
  return [{ type: 'thinking', index, delta: thought }, ...proof, { type: 'block_end', index }];
}

/** Parts that call a tool; a string is sent as it is. */
export function calls(index: number, id: string, call: { readonly name: string; readonly args: unknown }): readonly StreamPart[] {
  const raw = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
  const half = Math.ceil(raw.length / 2);
  return [
    { type: 'tool_call_begin', index, id, name: call.name },
    { type: 'tool_call_delta', index, delta: raw.slice(0, half) },
    { type: 'tool_call_delta', index, delta: raw.slice(half) },
    { type: 'block_end', index },
  ];
}

/** Parts that end an answer. */
export function stops(stopReason: StopReason, usage: Partial<Usage> = { inputTokens: 100, outputTokens: 10 }): readonly StreamPart[] {
  return [
    { type: 'usage', usage },
    { type: 'stop', stopReason, rawStopReason: stopReason },
  ];
}

/** A whole answer of text. */
export function answers(words: string): readonly StreamPart[] {
  return [...says(0, words), ...stops('end_turn')];
}
