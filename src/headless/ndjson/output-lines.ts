import type { Writable } from 'node:stream';
import { headOf } from '../../text/show.js';
import type { WireMessage } from './wire-content.js';

/** Characters of a line at most: the Agent SDK for Python takes 1,048,576 (its `_DEFAULT_MAX_BUFFER_SIZE`). */
export const MAX_LINE = 1_000_000;
/** Characters of a text that are left when its line would be too long, and how that is halved until it fits. */
const FIRST_CUT = 200_000;
const LEAST_CUT = 200;
/** Milliseconds of silence after which it is found out whether the reader is still there. */
const LOOK_MS = 1_000;

/**
 * Writes messages, one a line. A reader that is slow holds nothing up: what it has not read yet waits here, and pieces of an answer that
 * wait behind one another become one.
 */
export class OutputLines {
  private readonly waiting: WireMessage[] = [];
  private blocked = false;
  private broken = false;
  private readonly idle: (() => void)[] = [];
  private wrote = false;

  /**
   * @param whole says where the whole of a text is that had to be cut, for the reader
   * @param onBroken called once when the reader is gone
   * @param escaped gives other JSON of the same value, as for a terminal. Left out: the JSON as it is
   */
  constructor(
    private readonly output: Writable,
    private readonly whole: () => string,
    onBroken: () => void,
    private readonly escaped: (json: string) => string = (json) => json,
  ) {
    output.on('error', () => {
      if (this.broken) return;
      this.broken = true;
      this.waiting.length = 0;
      this.settle();
      onBroken();
    });
  }

  /** Writes a message, now or when the reader has room. */
  write(message: WireMessage): void {
    if (this.broken) return;
    if (!this.blocked) return this.send(message);
    const joined = joinedWith(this.waiting.at(-1), message);
    if (joined === undefined) this.waiting.push(message);
    else this.waiting[this.waiting.length - 1] = joined;
  }

  /**
   * Finds out that the reader is gone also while there is nothing to say: writing is the only way to. What is written is an empty line, which
   * readers of lines of JSON pass over. Returns how to stop that.
   */
  lookAfterReader(): () => void {
    const looking = setInterval(() => {
      if (!this.wrote && !this.blocked && !this.broken) this.output.write('\n');
      this.wrote = false;
    }, LOOK_MS);
    return () => clearInterval(looking);
  }

  /** Resolves when the reader has everything, or is gone. */
  drained(): Promise<void> {
    if (this.broken || !this.blocked) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private send(message: WireMessage): void {
    this.wrote = true;
    if (this.output.write(`${this.line(message)}\n`)) return;
    this.blocked = true;
    this.output.once('drain', () => this.goOn());
  }

  /** Writes what waits, as far as there is room. */
  private goOn(): void {
    this.blocked = false;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.send(next);
      if (this.isBlocked()) return;
    }
    this.settle();
  }

  private isBlocked(): boolean {
    return this.blocked;
  }

  private settle(): void {
    for (const done of this.idle.splice(0)) done();
  }

  /** JSON in which nothing ends a line for a reader that also knows U+2028 and U+2029. */
  private line(message: WireMessage): string {
    const text = JSON.stringify(message);
    const line = text.length <= MAX_LINE ? text : this.shortened(message);
    return this.escaped(line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'));
  }

  /** What is too long is cut with a mark, and images are left out. What a result gives is never cut, but it is an error then; what was denied may be. */
  private shortened(message: WireMessage): string {
    if (message.type === 'result') return this.shortenedResult(message);
    const text = fitting((most) => this.withCuts(message, most));
    if (text !== undefined) return text;
    const { type, session_id, uuid } = message;
    return JSON.stringify({
      type: 'system',
      subtype: 'informational',
      session_id,
      uuid,
      level: 'warning',
      content: `A message of the type ${type} is left out, as it is too long. It is in ${this.whole()}.`,
    });
  }

  private shortenedResult(message: WireMessage): string {
    const denied = (most: number): string => this.withCuts(message['permission_denials'] ?? [], most);
    const withDenials = (result: WireMessage, denials: string): string =>
      `${JSON.stringify({ ...result, permission_denials: undefined }).slice(0, -1)},"permission_denials":${denials}}`;
    const why = `The answer is longer than a line may be. The whole of it is in ${this.whole()}.`;
    const error = { ...message, result: undefined, structured_output: undefined, subtype: 'error_during_execution', is_error: true, errors: [why] };
    return fitting((most) => withDenials(message, denied(most))) ?? fitting((most) => withDenials(error, denied(most))) ?? withDenials(error, '[]');
  }

  /** The JSON of a value in which no text is longer than so many characters. */
  private withCuts(value: unknown, most: number): string {
    return JSON.stringify(value, (key, field: unknown) => this.cut(key, field, most));
  }

  private cut(key: string, value: unknown, most: number): unknown {
    if (isImage(value)) return { type: 'text', text: `[An image is left out here. It is in ${this.whole()}.]` };
    if (typeof value !== 'string' || value.length <= most || key === 'session_id' || key === 'uuid') return value;
    return `${headOf(value, most)}\n[${value.length - most} more characters are left out here. The whole text is in ${this.whole()}.]`;
  }
}

/** The first of ever shorter lines that is not too long. @param line made of the characters that a text may have */
function fitting(line: (most: number) => string): string | undefined {
  for (let most = FIRST_CUT; most >= LEAST_CUT; most = Math.floor(most / 2)) {
    const text = line(most);
    if (text.length <= MAX_LINE) return text;
  }
  return undefined;
}

function isImage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'image' && 'source' in value;
}

/** Two pieces of the same block as one; `undefined` where they are not that. */
function joinedWith(first: WireMessage | undefined, second: WireMessage): WireMessage | undefined {
  const [a, b] = [deltaIn(first), deltaIn(second)];
  if (first === undefined || a === undefined || b === undefined || a.index !== b.index || a.kind !== b.kind) return undefined;
  return { ...first, event: { type: 'content_block_delta', index: a.index, delta: { type: a.kind, [a.field]: a.text + b.text } } };
}

const TEXT_OF = { text_delta: 'text', thinking_delta: 'thinking', input_json_delta: 'partial_json' } as const;

interface Delta {
  readonly index: number;
  readonly kind: keyof typeof TEXT_OF;
  readonly field: string;
  readonly text: string;
}

function deltaIn(message: WireMessage | undefined): Delta | undefined {
  const event = message?.type === 'stream_event' ? (message['event'] as Readonly<Record<string, unknown>>) : undefined;
  if (event?.['type'] !== 'content_block_delta') return undefined;
  const delta = event['delta'] as Readonly<Record<string, string>>;
  const kind = delta['type'] as keyof typeof TEXT_OF;
  const field = TEXT_OF[kind];
  return { index: Number(event['index']), kind, field, text: delta[field] ?? '' };
}
