import { malformedAnswer } from '../../../domain/model/accumulator.js';
import { type JsonRecord, count, list, parsed, record, text } from '../json.js';
import type { ReasoningNote } from '../replay.js';

/** What an item of the output becomes; `other` is passed over. */
export type Kind = 'text' | 'thinking' | 'call' | 'other';

const KINDS: Readonly<Record<string, Kind>> = { message: 'text', reasoning: 'thinking', function_call: 'call' };

/** Between the parts of reasoning, which are paragraphs, and between those of a text. */
const BREAKS: Readonly<Record<Kind, string>> = { text: '', thinking: '\n\n', call: '', other: '' };

/** What an item becomes. A call without a name is nothing that could be run. */
export function kindOf(item: JsonRecord): Kind {
  const kind = KINDS[text(item['type'])] ?? 'other';
  return kind === 'call' && text(item['name']) === '' ? 'other' : kind;
}

/** The parts of an item that is whole: those of a message, those of reasoning, or the arguments of a call. */
export function partsOf(kind: Kind, item: JsonRecord): readonly string[] {
  if (kind === 'call') return [text(item['arguments'])];
  const parts = [...(kind === 'thinking' ? list(item['summary']) : []), ...list(item['content'])].map(record);
  return parts.map((part) => text(part?.['text']) || text(part?.['refusal'])).filter((words) => words !== '');
}

/** Which part of its item an event is about. */
export function partOf(event: JsonRecord): string {
  const summary = count(event['summary_index']);
  return summary === undefined ? `content ${count(event['content_index']) ?? 0}` : `summary ${summary}`;
}

/**
 * An item that is being put together. Its words come as deltas, as a whole part, as the whole item, in the output of the whole
 * response, or in several of these ways: each says only what none before it did.
 */
export class OpenItem {
  /** Whether anything of it goes back to the model. */
  visible = false;
  /** Of a call: whether it is over. */
  ended = false;
  phase = '';
  note: ReasoningNote | undefined;
  /** Of a call: whether its arguments came at all. Without any the item may say so by an empty text. */
  argued = false;
  /** All that came of it. */
  private said = '';
  private readonly parts = new Map<string, string>();
  /** Parts of which the whole came: their deltas, late or repeated, are in it. */
  private readonly wholeParts = new Set<string>();
  private isWhole = false;
  private last: string | undefined;
  private paragraphs = false;

  /**
   * @param id of the item, `''` where the server gives none
   * @param index its number in the output, where the server gives one
   * @param callId that the server gave to the call
   */
  constructor(
    readonly kind: Kind,
    readonly block: number,
    readonly id: string,
    readonly index: number | undefined,
    readonly callId: string,
  ) {}

  /** More of a part. @returns what is new of it */
  hear(part: string, delta: string): string {
    return this.isWhole || this.wholeParts.has(part) ? '' : this.say(part, delta);
  }

  /** The whole of a part. @returns what is new of it */
  hearPart(part: string, whole: string): string {
    const known = this.parts.get(part) ?? '';
    if (this.isWhole || whole === '') return '';
    this.wholeParts.add(part);
    if (known.includes(whole)) return '';
    if (known === '') return this.say(part, whole);
    return this.last === part && whole.startsWith(known) ? this.say(part, whole.slice(known.length)) : '';
  }

  /** The whole item. @returns what is new of it */
  hearAll(parts: readonly string[]): string {
    const whole = parts.join(BREAKS[this.kind]);
    this.isWhole = true;
    if (whole.startsWith(this.said)) return this.say(undefined, whole.slice(this.said.length));
    return parts.map((words, place) => (this.said.includes(words) ? '' : this.say(`whole ${place}`, words))).join('');
  }

  /**
   * The whole arguments of a call.
   * @returns what is new of them
   * @throws ProviderError of kind `protocol` when they are not those that came so far: what would run is in doubt
   */
  argue(whole: string): string {
    this.argued = true;
    if (this.isWhole || whole === '') return '';
    if (whole.startsWith(this.said)) {
      this.isWhole = true;
      return this.say(undefined, whole.slice(this.said.length));
    }
    if (record(parsed(this.said)) === undefined) throw malformedAnswer('the arguments of a call are others than those that came before');
    return '';
  }

  /** A new part begins. */
  nextPart(): void {
    this.paragraphs = true;
  }

  private say(part: string | undefined, words: string): string {
    if (words === '') return '';
    const isNext = part !== undefined && this.last !== undefined && (this.paragraphs || part !== this.last);
    const delta = isNext && this.said !== '' ? BREAKS[this.kind] + words : words;
    this.paragraphs = false;
    if (part !== undefined) {
      this.last = part;
      this.parts.set(part, (this.parts.get(part) ?? '') + words);
    }
    this.said += delta;
    if (!this.visible) this.visible = /\S/.test(words);
    if (this.kind === 'call') this.argued = true;
    return delta;
  }
}
