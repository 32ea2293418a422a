import { Signal } from '../../concurrency/signal.js';
import type { Usage } from '../../domain/model/usage.js';
import type { SentHeader, SentText } from './sent-text.js';

/** What a request belongs to. */
export interface Sender {
  /** Name of the provider. */
  readonly provider: string;
  /** Id of the model; `''` is the provider's default. */
  readonly model: string;
  /** Id of the session; absent where the request is of none, such as that of an inline suggestion. */
  readonly session?: string | undefined;
  /** Why this model was asked, where Gnomon has chosen it. */
  readonly reason?: string | undefined;
  /** The environment variable that may contain the key. */
  readonly keyVariable?: string | undefined;
}

/** How the answer to a request ended. */
export interface AnswerEnd {
  /** `stopped`: the user or Gnomon closed the connection. */
  readonly outcome: 'complete' | 'stopped' | 'failed';
  /** What the server said that it took; absent where it said nothing. */
  readonly usage?: Usage;
}

/** The body of a request as it was given to the connection; a text is sent as UTF-8, pieces one after the other. */
export type SentBody = string | readonly Uint8Array[];

/** A request as it went out. Keys were left out before it was noted. */
export interface SentRequest {
  /** Counts from 1. */
  readonly id: number;
  readonly sender: Sender;
  readonly method: string;
  readonly url: SentText;
  /** In the order in which they were sent. */
  readonly headers: readonly SentHeader[];
  /** Whether the headers are those of the connection. Otherwise those that the platform adds are missing. */
  readonly allHeaders: boolean;
  readonly body: SentBody;
  /** Length of the body in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** The status of the response, and how long its headers took to come, in milliseconds. */
  readonly answer?: { readonly status: number; readonly afterMs: number };
  /** The end of the answer, and how long it took to come, in milliseconds. Absent while the answer still comes. */
  readonly end?: AnswerEnd & { readonly afterMs: number };
}

/** How much is kept; together never more than `sessions` × `requests` + `ofNoSession` requests, with bodies of `bytes`. */
export interface LogLimits {
  /** Requests of each session, the newest: many that work side by side leave one another theirs. */
  readonly requests: number;
  /** Requests of no session: suggestions while the user types come so often that they would leave no others. */
  readonly ofNoSession: number;
  /** Sessions, those that sent something last. */
  readonly sessions: number;
  /** Bytes of all bodies together; what is too much is taken from the session that has most of them. */
  readonly bytes: number;
}

const LIMITS: LogLimits = { requests: 20, ofNoSession: 5, sessions: 32, bytes: 50 * 1024 * 1024 };

/**
 * The last requests that went out to models, for the user to look at. In memory only: they are never written to a file or
 * to the log.
 */
export class RequestLog {
  /** The secrets that are known now, which are left out wherever they are in an address or a header, and marked in a body. */
  readonly secrets: () => readonly string[];
  private readonly limits: LogLimits;
  /** Secrets of addresses and headers in the settings, beside the keys. */
  private readonly learned = new Set<string>();
  private readonly kept = new Map<number, SentRequest>();
  private readonly changed = new Signal<number>();
  /** Calls back with the number of a request that was noted, of which more is known, or that was forgotten. Returns how to stop that. */
  readonly onDidChange = this.changed.subscribe;
  private bytes = 0;
  private last = 0;

  /** @param secrets is called for each request */
  constructor(secrets: () => readonly string[], limits: Partial<LogLimits> = {}) {
    this.secrets = () => [...new Set([...secrets(), ...this.learned])];
    this.limits = { ...LIMITS, ...limits };
  }

  /** Has more secrets known, for as long as the window is open. */
  learn(secrets: readonly string[]): void {
    for (const secret of secrets) this.learned.add(secret);
  }

  /** The requests that are kept, the newest first. */
  requests(): readonly SentRequest[] {
    return [...this.kept.values()].reverse();
  }

  /** A request by its number; `undefined` when it is not kept any more. */
  request(id: number): SentRequest | undefined {
    return this.kept.get(id);
  }

  /** The last request before another one in the same session; outside of sessions, to the same provider. */
  before({ id, sender: { session, provider } }: SentRequest): SentRequest | undefined {
    return this.requests().find((other) => other.id < id && other.sender.session === session && (session !== undefined || other.sender.provider === provider));
  }

  /** Keeps a request. Returns its number. */
  add(request: Omit<SentRequest, 'id'>): number {
    const id = ++this.last;
    this.keep({ ...request, id });
    return id;
  }

  /** Adds to what is known of a request; does nothing when it is not kept any more. */
  note(id: number, more: Partial<Omit<SentRequest, 'id'>>): void {
    const known = this.kept.get(id);
    if (known !== undefined) this.keep({ ...known, ...more });
  }

  private keep(request: SentRequest): void {
    this.bytes += request.size - (this.kept.get(request.id)?.size ?? 0);
    this.kept.set(request.id, request);
    this.makeRoom();
    this.changed.emit(request.id);
  }

  private makeRoom(): void {
    const { requests, ofNoSession, sessions } = this.limits;
    const kept = [...this.bySession()].flatMap(([session, sent]) => {
      const most = session === undefined ? ofNoSession : requests;
      for (const request of sent.slice(0, Math.max(0, sent.length - most))) this.forget(request);
      return session === undefined ? [] : [sent];
    });
    const newestLast = kept.sort((a, b) => (a.at(-1)?.id ?? 0) - (b.at(-1)?.id ?? 0));
    for (const request of newestLast.slice(0, Math.max(0, kept.length - sessions)).flat()) this.forget(request);
    while (this.bytes > this.limits.bytes) this.forgetOfLargest();
  }

  /** The requests that are kept, the oldest first, by session; with those of none. */
  private bySession(): ReadonlyMap<string | undefined, readonly SentRequest[]> {
    const sessions = new Map<string | undefined, SentRequest[]>();
    for (const request of this.kept.values()) {
      const { session } = request.sender;
      const sent = sessions.get(session);
      if (sent === undefined) sessions.set(session, [request]);
      else sent.push(request);
    }
    return sessions;
  }

  private forgetOfLargest(): void {
    const bytesOf = (sent: readonly SentRequest[]): number => sent.reduce((sum, { size }) => sum + size, 0);
    const [first = [], ...others] = this.bySession().values();
    const largest = others.reduce((most, sent) => (bytesOf(sent) > bytesOf(most) ? sent : most), first);
    if (largest[0] !== undefined) this.forget(largest[0]);
  }

  private forget({ id, size }: SentRequest): void {
    if (!this.kept.delete(id)) return;
    this.bytes -= size;
    this.changed.emit(id);
  }
}

/** The bytes of a body. */
export function bodyBytes(body: SentBody): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.concat(body);
}
