import { DEMO_PROVIDER } from '../../domain/demo.js';
import { USUAL_EFFORTS } from '../../domain/model/effort.js';
import { ProviderError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Timestamp } from '../../domain/model/message.js';
import { outputInWords } from '../../domain/model/output.js';
import { type ModelInfo, type Provider, type Request, validateRequest } from '../../domain/model/provider.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import { PartStream } from '../part-stream.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './next-step.js';

/** What tests decide about the demo. */
export interface DemoOptions {
  /** Time of the messages; the system's when absent. */
  readonly now?: () => Timestamp;
  /** What plays an answer; the demo's own script when absent. */
  readonly script?: (request: Request, signal: AbortSignal) => AsyncIterable<StreamPart>;
  /** How fast the answer streams; a quick reader's pace when absent. */
  readonly pace?: Partial<Pace>;
}

/** The one model of the demo provider. It costs nothing, since it is a script on this machine. */
export const demoModel: ModelInfo = Object.freeze({
  provider: DEMO_PROVIDER,
  id: 'demo',
  get label(): string {
    return t('Demo (scripted, offline)');
  },
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  pricing: Object.freeze({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  efforts: USUAL_EFFORTS,
  supportsImages: false,
  supportsTools: true,
});

/**
 * The offline demo: a script that says so, reaches no network and needs no key.
 *
 * It plays three tasks of the sample workspace through the real tools and explains for everything else how to connect a
 * model. Each answer is computed from the request's messages alone. Usage is always zero.
 */
export function createDemoProvider(options: DemoOptions = {}): Provider {
  const pace = { ...NATURAL_PACE, ...options.pace };
  const script = options.script ?? ((request, signal) => scripted(request, pace, signal));
  return { name: demoModel.provider, stream: (request, signal) => new PartStream((inner) => answer(request, script, inner), signal, options.now) };
}

async function* answer(request: Request, script: NonNullable<DemoOptions['script']>, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  validateRequest(request);
  if (request.model !== '' && request.model !== demoModel.id) {
    throw new ProviderError('not_found', `The demo has no model "${request.model}". Choose "${demoModel.id}" or another provider.`);
  }
  yield* script(outputInWords(request), signal);
}

async function* scripted(request: Request, pace: Pace, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  // Most users never see the scripts, so they load with the first answer.
  const { nextStep } = await import('./next-step.js');
  const { thinking, ...step } = nextStep(request);
  yield* pacedParts(request.effort === undefined || request.effort === 'off' ? step : { ...step, thinking }, pace, signal);
}

/** How fast an answer streams. */
interface Pace {
  /** `Infinity` streams without any wait. */
  readonly charactersPerSecond: number;
  /** Waits some milliseconds; rejects as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** About three times as fast as a quick reader, so that users see it stream and need not wait. */
const NATURAL_PACE: Pace = { charactersPerSecond: 300, wait: (ms, signal) => delay(ms, undefined, { signal }) };

/** Characters of tool arguments in one delta. */
const ARGUMENT_CHARACTERS = 24;

/** An answer as the parts of a stream, in small deltas. */
async function* pacedParts(step: Answer, pace: Pace, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  for (const part of partsOf(step)) {
    if ('delta' in part && Number.isFinite(pace.charactersPerSecond)) {
      await pace.wait((part.delta.length / pace.charactersPerSecond) * 1000, signal);
    }
    yield part;
  }
}

function* partsOf({ thinking, text, calls }: Answer): Generator<StreamPart, void, undefined> {
  let index = 0;
  if (thinking !== undefined) {
    for (const delta of words(thinking)) yield { type: 'thinking', index, delta };
    yield { type: 'block_end', index };
    index += 1;
  }
  for (const delta of words(text)) yield { type: 'text', index, delta };
  yield { type: 'block_end', index };
  for (const call of calls) {
    index += 1;
    yield { type: 'tool_call_begin', index, id: `demo_${randomUUID()}`, name: call.name };
    for (const delta of slices(JSON.stringify(call.args))) yield { type: 'tool_call_delta', index, delta };
    yield { type: 'block_end', index };
  }
  const stopReason = calls.length === 0 ? 'end_turn' : 'tool_use';
  yield { type: 'stop', stopReason, rawStopReason: stopReason };
}

function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [text];
}

/** Pieces of a text, never half of a surrogate pair. */
function slices(text: string): readonly string[] {
  return text.match(new RegExp(`[^]{1,${ARGUMENT_CHARACTERS}}`, 'gu')) ?? [];
}
