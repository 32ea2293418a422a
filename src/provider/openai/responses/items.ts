import { malformedAnswer } from '../../../domain/model/accumulator.js';
import { BlockNumbers } from '../call-reader.js';
import { type JsonRecord, count, text } from '../json.js';
import { type Kind, OpenItem, kindOf } from './open-item.js';

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
