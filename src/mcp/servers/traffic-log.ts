import type { Clock } from '../../domain/clock.js';
import type { McpTraffic } from '../../domain/mcp/connection.js';
import type { Timestamp } from '../../domain/model/message.js';
import type { McpScrubber } from './clean-line.js';

/** Messages that the inspector keeps. */
const MAX_TRAFFIC = 200;
/** Requests without an answer that are remembered; a server that answers nothing must not fill the memory. */
const MAX_OPEN = 1_000;
/** Characters of a method and an id that are kept. */
const MAX_HEAD = 100;

/** A message between Gnomon and a server as the inspector shows it. */
export interface McpTrafficLine {
  /** Counts the messages of a server from 1 on. */
  readonly seq: number;
  readonly direction: McpTraffic['direction'];
  readonly at: Timestamp;
  /** Of an answer, that of its request; absent if that is not known. */
  readonly method?: string;
  /** Of JSON-RPC, as JSON; absent for a notification. */
  readonly id?: string;
  /** Milliseconds since the request; only for answers to what Gnomon has asked. */
  readonly latencyMs?: number;
  /** Whether it is an answer that says that something failed. */
  readonly error?: true;
  /** JSON, scrubbed; cut as the connection cut it. */
  readonly text: string;
}

/** A message, and the request that it answers. */
interface Entry extends McpTraffic {
  readonly seq: number;
  readonly at: Timestamp;
  readonly answers?: { readonly method: string; readonly latencyMs: number };
}

/** Kind and id of a JSON-RPC message, if it can be parsed. */
interface Head {
  readonly method?: string;
  readonly id?: string;
  readonly error?: true;
}

/** Keeps the newest messages. Adding one is cheap, for a server may send 10,000 in a second; they are scrubbed when they are looked at. */
export class TrafficLog {
  private entries: Entry[] = [];
  private seq = 0;
  /** Requests of Gnomon without an answer, by id. */
  private readonly open = new Map<string, { readonly method: string; readonly since: number }>();

  constructor(private readonly clock: Clock) {}

  /** Adds a message that passes now. */
  add(message: McpTraffic): void {
    if (message.direction === 'sent') this.sent(message.text);
    const answers = message.direction === 'received' ? this.answered(message.text) : undefined;
    this.seq += 1;
    this.entries.push({ ...message, seq: this.seq, at: this.clock.timestamp(), ...(answers !== undefined && { answers }) });
    if (this.entries.length >= MAX_TRAFFIC * 2) this.entries = this.entries.slice(-MAX_TRAFFIC);
  }

  /** The newest messages, oldest first. */
  lines(scrub: McpScrubber): readonly McpTrafficLine[] {
    return this.entries
      .slice(-MAX_TRAFFIC)
      .map(({ seq, direction, at, answers, text }) => ({ seq, direction, at, ...headOf(text), ...answers, text: scrub(text) }));
  }

  private sent(text: string): void {
    const { method, id } = headOf(text);
    if (method === undefined || id === undefined) return;
    this.open.set(id, { method, since: this.clock.monotonic() });
    const oldest = this.open.keys().next();
    if (this.open.size > MAX_OPEN && oldest.done !== true) this.open.delete(oldest.value);
  }

  private answered(text: string): Entry['answers'] {
    // Reading all of many notifications would take longer than anything else here.
    if (this.open.size === 0 || text.includes('"method":"notifications/')) return undefined;
    const { method, id } = headOf(text);
    const request = method === undefined && id !== undefined ? this.open.get(id) : undefined;
    if (request === undefined || id === undefined) return undefined;
    this.open.delete(id);
    return { method: request.method, latencyMs: Math.round(this.clock.monotonic() - request.since) };
  }
}

/** Where a message that was cut goes on with what the server may have written itself. */
const BODY = /"(params|result|error)"\s*:/;

/** The head of a message; of one that was cut, what is written before its body. */
function headOf(text: string): Head {
  const message = parsed(text);
  if (message !== undefined) {
    const { method, id, error } = message;
    return head(
      typeof method === 'string' ? method : undefined,
      typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined,
      error !== undefined,
    );
  }
  const body = BODY.exec(text);
  const start = text.slice(0, body?.index);
  return head(/"method"\s*:\s*"([^"\\]+)"/.exec(start)?.[1], /"id"\s*:\s*("[^"\\]*"|\d+)/.exec(start)?.[1], body?.[1] === 'error');
}

function head(method: string | undefined, id: string | undefined, error: boolean): Head {
  return {
    ...(method !== undefined && { method: method.slice(0, MAX_HEAD) }),
    ...(id !== undefined && { id: id.slice(0, MAX_HEAD) }),
    ...(error && { error }),
  };
}

function parsed(text: string): { readonly method?: unknown; readonly id?: unknown; readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // It was cut, or is not a message of the protocol.
    return undefined;
  }
}
