import { malformedAnswer } from '../../../domain/model/accumulator.js';
import { BlockNumbers } from '../call-reader.js';
import { count, type JsonRecord, list, parsed, record, text } from '../json.js';
import type { ReasoningNote } from '../replay.js';

/** What an item of the output becomes; `other` is passed over. */
type Kind = 'text' | 'thinking' | 'call' | 'other';

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
  /** The complete result. */
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

/**
 * The items of one answer, and which of them an event is about: the item whose id it gives, or the one with its number in the
 * output, or the only one that it can be about. Gateways leave out the number, or give every event another id.
 */
export class Items {
  /** The numbers of the blocks, which are their order in the message. */
  readonly blocks = new BlockNumbers();
  private readonly items: OpenItem[] = [];
  /** Ids of calls. */
  private readonly given = new Set<string>();

  /** The items in the order of the message. */
  inOrder(): readonly OpenItem[] {
    return [...this.items].sort((a, b) => a.block - b.block);
  }

  /** The item that an event is about, which is begun by its first event if nothing announced it; a call is always announced. */
  spokenOf(event: JsonRecord, kind: Exclude<Kind, 'call'>): OpenItem {
    const id = text(event['item_id']);
    const index = count(event['output_index']);
    const latest = id === '' && index === undefined ? this.items.findLast((item) => item.kind === kind) : undefined;
    return this.find(event, id, kind) ?? latest ?? this.begin(kind, { id, index, callId: '' });
  }

  /**
   * The call that an event is about; `undefined` when it was not announced.
   * @throws ProviderError of kind `protocol` when it can be about several: one must not get the arguments of another.
   */
  calledIn(event: JsonRecord): OpenItem | undefined {
    const id = text(event['item_id']);
    const index = count(event['output_index']);
    const found = this.find(event, id, 'call');
    if (found !== undefined || index !== undefined) return found;
    const [, ...others] = this.items.filter(({ kind, ended }) => kind === 'call' && !ended);
    if (others.length > 0) throw malformedAnswer('it cannot be told which call arguments belong to');
    return undefined;
  }

  /** An item that begins; one that began already stays the same. */
  announced(event: JsonRecord, item: JsonRecord): { readonly open: OpenItem; readonly isNew: boolean } {
    const known = this.byId(text(item['id']), kindOf(item));
    return known === undefined ? this.beginOf(item, count(event['output_index'])) : { open: known, isNew: false };
  }

  /** An item that is whole, in an event of its own. */
  finished(event: JsonRecord, item: JsonRecord): { readonly open: OpenItem; readonly isNew: boolean } {
    const kind = kindOf(item);
    const found = this.find(event, text(item['id']), kind, text(item['call_id']));
    return found === undefined || found.ended ? this.beginOf(item, count(event['output_index'])) : { open: found, isNew: false };
  }

  /**
   * An item of the output of the whole response.
   * @param index its place there
   * @param claimed items that others of the output are already
   */
  listed(item: JsonRecord, index: number, claimed: ReadonlySet<OpenItem>): { readonly open: OpenItem; readonly isNew: boolean } {
    const kind = kindOf(item);
    const id = text(item['id']);
    const callId = text(item['call_id']);
    const left = this.items.filter((known) => known.kind === kind && !claimed.has(known));
    const found =
      left.find((known) => id !== '' && known.id === id) ??
      left.find((known) => callId !== '' && known.callId === callId) ??
      left.find((known) => known.index === index) ??
      (kind === 'call' ? left.find((known) => known.callId === '') : left[0]);
    return found === undefined ? this.beginOf(item, index) : { open: found, isNew: false };
  }

  /** The id that a call has here: its own, or another one where it has none, or one of another call. */
  callId({ block, callId, id }: OpenItem): string {
    const free = (name: string): boolean => name !== '' && !this.given.has(name);
    const own = callId || id;
    let made = free(own) ? own : `call_${block}`;
    while (!free(made)) made += '_';
    this.given.add(made);
    return made;
  }

  private find(event: JsonRecord, id: string, kind: Kind, callId = ''): OpenItem | undefined {
    const index = count(event['output_index']);
    const byId = this.byId(id, kind);
    if (byId !== undefined || index !== undefined) return byId ?? this.items.findLast((item) => item.index === index && item.kind === kind);
    const open = this.items.filter((item) => item.kind === kind && !item.ended);
    const named = open.filter((item) => callId !== '' && item.callId === callId);
    const [only, ...others] = named.length > 0 ? named : open;
    // Without a number the ids decide, where both have one.
    const isOther = only !== undefined && named.length === 0 && ((id !== '' && only.id !== '') || (callId !== '' && only.callId !== ''));
    return others.length > 0 || isOther ? undefined : only;
  }

  private byId(id: string, kind: Kind): OpenItem | undefined {
    return id === '' ? undefined : this.items.findLast((item) => item.id === id && item.kind === kind);
  }

  private beginOf(item: JsonRecord, index: number | undefined): { readonly open: OpenItem; readonly isNew: true } {
    return { open: this.begin(kindOf(item), { id: text(item['id']), index, callId: text(item['call_id']) }), isNew: true };
  }

  private begin(kind: Kind, { id, index, callId }: { readonly id: string; readonly index: number | undefined; readonly callId: string }): OpenItem {
    const item = new OpenItem(kind, this.blocks.take(index), id, index, callId);
    this.items.push(item);
    return item;
  }
}
