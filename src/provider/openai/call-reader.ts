import type { StreamPart } from '../../domain/model/event-stream.js';
import { type JsonRecord, list, parsed, record, text } from './json.js';
import { createHash, randomBytes } from 'node:crypto';
import type { Dialect } from './dialect.js';

/** A call that is being put together. */
interface OpenCall {
  readonly block: number;
  readonly index: number | undefined;
  /** The id that the server gave, if it did. */
  readonly wireId: string;
  readonly id: string;
  /** Some servers send it in pieces, or behind the arguments. */
  name: string;
  /** Whether its start event was sent: not before its name is complete. */
  told: boolean;
  arguments: string;
  /** What came from where on each piece began with all before it; which of two things that means shows at the end. */
  repeated: string[];
  extra: unknown;
}

/** One entry of `tool_calls` in a chunk. */
interface Entry {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly delta: string;
  readonly extra: unknown;
}

/** Indexes of calls above this are treated as invalid. */
const MAX_CALL_INDEX = 1_000;

/**
 * Assembles tool calls. By the format the first chunk of a call has index, id and name and the others the index alone;
 * servers leave out the index or the id, repeat id and name, give several calls one index (Ollama and Gemini
 * did, ollama/ollama#7881), or send the arguments whole, as text or as an object.
 */
export class CallReader {
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, OpenCall>();
  /** The block of the call with number 0; so calls keep the server's order, in whatever order they begin. */
  private base: number | undefined;
  private readonly tools: ReadonlySet<string>;

  /** @param tools names of those that can be called; where there are any, another name may not be whole yet */
  constructor(
    private readonly blocks: BlockNumbers,
    tools: readonly string[] = [],
  ) {
    this.tools = new Set(tools);
  }

  /** Whether the answer has calls. */
  get any(): boolean {
    return this.calls.length > 0;
  }

  /** The parts of a chunk's `tool_calls`, or of the `function_call` of old. */
  read(toolCalls: unknown, functionCall: unknown): readonly StreamPart[] {
    const parts = list(toolCalls).flatMap((value) => this.readEntry(entryOf(value)));
    const old = record(functionCall);
    return old === undefined ? parts : [...parts, ...this.readEntry(entryOf({ index: 0, function: old }))];
  }

  /**
   * The ends of the calls.
   * @param cut the answer was cut off: then a call whose arguments are no JSON stays without its end.
   */
  ends(cut: boolean): readonly StreamPart[] {
    return this.inOrder().flatMap((call): readonly StreamPart[] => {
      const rest = [...tell(call), ...repeatedEnd(call)];
      if (!call.told) return [];
      return cut && parsed(call.arguments) === undefined ? rest : [...rest, { type: 'block_end', index: call.block }];
    });
  }

  /** `extra_content` of the calls by their place in the message; `undefined` when no call has any. */
  extras(): Readonly<Record<string, unknown>> | undefined {
    const found = this.inOrder().flatMap(({ extra }, place): [string, unknown][] => (extra === undefined ? [] : [[String(place), extra]]));
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }

  private inOrder(): readonly OpenCall[] {
    return [...this.calls].sort((a, b) => a.block - b.block);
  }

  private readEntry(entry: Entry | undefined): readonly StreamPart[] {
    if (entry === undefined) return [];
    const known = this.callOf(entry);
    // A call that has neither place nor name: there is nothing to do with it.
    if (known === undefined && entry.name === '' && entry.index === undefined) return [];
    const earlier = known === undefined ? this.calls.flatMap(tell) : [];
    const call = known ?? this.begin(entry);
    if (known !== undefined && !known.told && entry.name !== known.name) known.name += entry.name;
    call.extra = entry.extra ?? call.extra;
    const isWhole = call.name !== '' && (this.tools.size === 0 || this.tools.has(call.name) || entry.delta !== '');
    const begin = isWhole ? tell(call) : [];
    return [...earlier, ...begin, ...grow(call, entry.delta)];
  }

  /** The call that an entry continues with; `undefined` when it begins one. */
  private callOf(entry: Entry): OpenCall | undefined {
    const candidate = entry.index === undefined ? this.calls.at(-1) : this.byIndex.get(entry.index);
    if (candidate !== undefined && !beginsAnother(entry, candidate)) return candidate;
    return this.calls.findLast((call) => entry.id !== '' && call.wireId === entry.id && call.index === entry.index);
  }

  private begin({ index, id, name }: Entry): OpenCall {
    this.base ??= this.blocks.next();
    const block = this.blocks.take(index === undefined ? undefined : this.base + index);
    const free = id !== '' && !this.calls.some((call) => call.id === id);
    const call: OpenCall = { block, index, wireId: id, id: free ? id : newCallId(), name, told: false, arguments: '', repeated: [], extra: undefined };
    this.calls.push(call);
    if (index !== undefined) this.byIndex.set(index, call);
    return call;
  }
}

/** Tells the beginning of a call, and what has come of its arguments, once it has a name. */
function tell(call: OpenCall): readonly StreamPart[] {
  if (call.told || call.name === '') return [];
  call.told = true;
  const begin: StreamPart = { type: 'tool_call_begin', index: call.block, id: call.id, name: call.name };
  return [begin, ...(call.arguments === '' ? [] : [{ type: 'tool_call_delta' as const, index: call.block, delta: call.arguments }])];
}

/** Adds to the arguments of a call. */
function grow(call: OpenCall, delta: string): readonly StreamPart[] {
  if (delta === '') return [];
  const repeats = call.repeated.length > 0 || (call.arguments.length > 1 && delta.startsWith(call.arguments));
  if (repeats) {
    call.repeated.push(delta);
    return [];
  }
  call.arguments += delta;
  return call.told ? [{ type: 'tool_call_delta', index: call.block, delta }] : [];
}

/** The rest of arguments whose pieces seemed to repeat each other: as they are, or of the last one, if only that is JSON. */
function repeatedEnd(call: OpenCall): readonly StreamPart[] {
  const { arguments: begun, repeated } = call;
  const last = repeated.at(-1);
  if (last === undefined) return [];
  const all = begun + repeated.join('');
  const grows = repeated.every((piece, index) => piece.startsWith(repeated[index - 1] ?? begun));
  call.arguments = grows && parsed(all) === undefined && parsed(last) !== undefined ? last : all;
  call.repeated = [];
  const delta = call.arguments.slice(begun.length);
  return delta === '' ? [] : [{ type: 'tool_call_delta', index: call.block, delta }];
}

/**
 * Whether an entry with the place of a call belongs to another one. With a number and without a name it never does:
 * some servers make up a new id for every chunk.
 */
function beginsAnother(entry: Entry, call: OpenCall): boolean {
  if (entry.name === '' && entry.index !== undefined) return false;
  if (entry.id !== '' && call.wireId !== '') return entry.id !== call.wireId;
  if (entry.name === '' || call.name === '') return false;
  // The rest of a name.
  if (entry.index !== undefined && entry.id === '' && entry.delta === '' && !call.told) return false;
  return entry.name !== call.name || (entry.delta !== '' && parsed(call.arguments) !== undefined);
}

function entryOf(value: unknown): Entry | undefined {
  const entry = record(value);
  const called = record(entry?.['function']);
  if (entry === undefined || called === undefined) return undefined;
  const index = entry['index'];
  const usable = Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < MAX_CALL_INDEX;
  return {
    index: usable ? (index as number) : undefined,
    id: text(entry['id']),
    name: text(called['name']),
    delta: argumentsOf(called),
    extra: record(entry['extra_content']),
  };
}

/** The arguments as text; some servers send the object itself. */
function argumentsOf(called: JsonRecord): string {
  const args = called['arguments'];
  return record(args) === undefined ? text(args) : JSON.stringify(args);
}

const NINE = /^[a-zA-Z0-9]{9}$/;

/** An id for a call that came without one, or with one that another call has. */
function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/**
 * The id of a call as the server takes it. The same id always becomes the same, so that call and result stay together
 * and a longer conversation begins with the bytes of the shorter one.
 */
export function wireCallId(id: string, { callIds }: Pick<Dialect, 'callIds'>): string {
  return callIds === 'any' || NINE.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

/** Hands out the numbers of the blocks of one answer, which are their order in the message. */
export class BlockNumbers {
  private readonly taken = new Set<number>();
  private highest = -1;

  /** The number behind all others. */
  next(): number {
    return this.highest + 1;
  }

  /** Takes the wanted number if it is free, or the next one. */
  take(wanted: number = this.next()): number {
    const number = this.taken.has(wanted) ? this.next() : wanted;
    this.taken.add(number);
    this.highest = Math.max(this.highest, number);
    return number;
  }
}
