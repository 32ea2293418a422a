import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamPart } from '../../domain/model/stream-part.js';
import type { Step } from './step.js';

/** How fast an answer streams. */
export interface Pace {
  /** `Infinity` streams without any wait. */
  readonly charactersPerSecond: number;
  /** Waits some milliseconds; rejects as soon as the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** About three times as fast as a quick reader, so that a person sees it stream and need not wait. */
export const NATURAL_PACE: Pace = {
  charactersPerSecond: 300,
  wait: (ms, signal) => delay(ms, undefined, { signal }),
};

/** Characters of tool arguments in one delta. */
const ARGUMENT_CHARACTERS = 24;

/** A step as the parts of a stream, in small deltas. */
export async function* pacedParts(step: Step, pace: Pace, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  for (const part of partsOf(step)) {
    if ('delta' in part && Number.isFinite(pace.charactersPerSecond)) {
      await pace.wait((part.delta.length / pace.charactersPerSecond) * 1000, signal);
    }
    yield part;
  }
}

function* partsOf({ thinking, text, call }: Step): Generator<StreamPart, void, undefined> {
  let index = 0;
  if (thinking !== undefined) {
    for (const delta of words(thinking)) yield { type: 'thinking', index, delta };
    yield { type: 'block_end', index };
    index += 1;
  }
  for (const delta of words(text)) yield { type: 'text', index, delta };
  yield { type: 'block_end', index };
  if (call !== undefined) {
    index += 1;
    yield { type: 'tool_call_begin', index, id: `demo_${randomUUID()}`, name: call.name };
    for (const delta of slices(JSON.stringify(call.args))) yield { type: 'tool_call_delta', index, delta };
    yield { type: 'block_end', index };
  }
  const stopReason = call === undefined ? 'end_turn' : 'tool_use';
  yield { type: 'stop', stopReason, rawStopReason: stopReason };
}

function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [text];
}

/** Pieces of a text, never half of a surrogate pair. */
function slices(text: string): readonly string[] {
  return text.match(new RegExp(`[^]{1,${ARGUMENT_CHARACTERS}}`, 'gu')) ?? [];
}
