import { randomBytes } from 'node:crypto';
import type { Gate } from './gate.js';
import type { WireBlock, WireEvent } from './wire.js';

/** A piece of an answer's block: the text of one delta, or a place to hold. */
export type Piece = string | Gate;

/** What an answer does next: sends an event, or waits at a gate. */
type BlockStep = WireEvent | Gate;

/** A content block of an answer; its steps are made when its index is known. */
export interface Block {
  /** The block as it is in an answer that is not streamed. */
  readonly whole: WireBlock;
  start(index: number): WireEvent;
  deltas(index: number): readonly BlockStep[];
}

/** Options of a tool call. */
export interface ToolCallOptions {
  /** Default: a fresh one in the form of the real API. */
  readonly id?: string;
  /** The raw JSON text piece by piece, instead of the whole of it in one delta. Need not be valid JSON. */
  readonly chunks?: readonly Piece[];
}

/** Whether a step or piece is a gate. */
export function isGate(value: unknown): value is Gate {
  return typeof value === 'object' && value !== null && 'pass' in value;
}

/** A text block, one delta for each string. */
export function textBlock(...pieces: readonly Piece[]): Block {
  return {
    whole: { type: 'text', text: joined(pieces) },
    start: (index) => startOf(index, { type: 'text', text: '' }),
    deltas: (index) => steps(pieces, (text) => deltaOf(index, { type: 'text_delta', text })),
  };
}

/** A thinking block with its signature; without one the block is never signed, as when an answer is cut off. */
export function thinkingBlock(pieces: Piece | readonly Piece[], signature?: string): Block {
  const list = typeof pieces === 'string' || isGate(pieces) ? [pieces] : pieces;
  return {
    whole: { type: 'thinking', thinking: joined(list), signature: signature ?? '' },
    start: (index) => startOf(index, { type: 'thinking', thinking: '', signature: '' }),
    deltas: (index) => [
      ...steps(list, (thinking) => deltaOf(index, { type: 'thinking_delta', thinking })),
      ...(signature === undefined ? [] : [deltaOf(index, { type: 'signature_delta', signature })]),
    ],
  };
}

/** Thinking that the API encrypted. */
export function redactedBlock(data: string): Block {
  const whole = { type: 'redacted_thinking', data };
  return { whole, start: (index) => startOf(index, whole), deltas: () => [] };
}

/** A tool call; `args` is the input object, or the raw text of it. */
export function toolBlock(name: string, args: object | string, options: ToolCallOptions = {}): Block {
  const id = options.id ?? `toolu_01${randomBytes(11).toString('hex')}`;
  const raw = typeof args === 'string' ? args : JSON.stringify(args);
  const chunks = options.chunks ?? (raw === '' ? [] : [raw]);
  return {
    whole: { type: 'tool_use', id, name, input: typeof args === 'string' ? {} : args },
    start: (index) => startOf(index, { type: 'tool_use', id, name, input: {} }),
    // The real API sends an empty first delta.
    deltas: (index) => steps(['', ...chunks], (part) => deltaOf(index, { type: 'input_json_delta', partial_json: part })),
  };
}

/** The end of a block. */
export function stopOf(index: number): WireEvent {
  return { type: 'content_block_stop', index };
}

function startOf(index: number, block: WireBlock): WireEvent {
  return { type: 'content_block_start', index, content_block: block };
}

function deltaOf(index: number, delta: WireBlock): WireEvent {
  return { type: 'content_block_delta', index, delta };
}

function steps(pieces: readonly Piece[], delta: (text: string) => WireEvent): readonly BlockStep[] {
  return pieces.map((piece) => (isGate(piece) ? piece : delta(piece)));
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (isGate(piece) ? '' : piece)).join('');
}
