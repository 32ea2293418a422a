import { present } from '../../../domain/present.js';
import { AbortError, errorMessage, ToolInputError } from '../../../domain/errors.js';
import type { Failure } from '../../../domain/tool/outcome.js';
import type { WebHit } from '../../../domain/workspace/web-search.js';
import { errorCode } from '../../files/file-errors.js';

/** How long a search may take, from the connection to the last byte, in milliseconds. */
const TIME_LIMIT_MS = 15_000;
/** The largest answer that is read, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** A search service, as it is asked. */
export interface Service {
  /** Display name. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the user can check when it cannot be reached, as a sentence. */
  readonly advice: string;
  /** Default: 15 seconds. */
  readonly timeLimitMs?: number;
}

/** What a service answered. */
export interface ServiceAnswer {
  readonly status: number;
  /** The document; `undefined` when the answer is not JSON. */
  readonly document: unknown;
  /** Seconds to wait, as the service asked; `undefined` when it did not. */
  readonly waitSeconds: number | undefined;
}

/**
 * Asks a search service for a JSON document. Redirects are not followed: another server gets neither key nor query.
 * @throws ToolInputError when it does not answer, AbortError when the signal fired.
 */
export async function askService(url: URL, { name, headers = {}, advice, timeLimitMs = TIME_LIMIT_MS }: Service, signal: AbortSignal): Promise<ServiceAnswer> {
  const late = AbortSignal.timeout(timeLimitMs);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'Gnomon', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    });
    const said = await limitedText(response);
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { status: response.status, document: parsed(said), waitSeconds: Number.isFinite(wait) && wait >= 0 ? Math.ceil(wait) : undefined };
  } catch (error) {
    if (signal.aborted) throw new AbortError(undefined, error);
    if (late.aborted) throw new ToolInputError(`${name} did not answer within ${timeLimitMs / 1_000} seconds. Try again later. ${advice}`);
    throw new ToolInputError(`${name} cannot be reached (${reasonOf(error)}). ${advice}`);
  }
}

/** What is wrong with an answer whatever the service; `undefined` for one that may hold results. */
export function commonProblem({ status, waitSeconds }: ServiceAnswer, { name, advice }: Service): Failure | string | undefined {
  if (status === 429) return { kind: 'rate_limited', service: name, of: 'service', ...present({ seconds: waitSeconds }) };
  if (status >= 500) return `${name} failed (status ${status}). Try again later, or go on without the search.`;
  if (status >= 300 && status < 400) return `${name} redirects to another address, which is not followed. ${advice}`;
  return status === 200 ? undefined : `${name} refused the search (status ${status}). ${advice}`;
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).byteLength;
    if (size > MAX_BYTES) throw new RangeError('its answer is too large');
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The caller decides what missing JSON means.
    return undefined;
  }
}

/** The platform's `fetch` hides why in the cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorCode(inner) ?? errorMessage(inner);
}

/** An object with named values, from outside. */
type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/**
 * The hits in a list from outside; entries without an address are left out.
 * @param snippet name of the field with what the page says
 */
export function hitsIn(list: unknown, snippet: string): readonly WebHit[] {
  if (!Array.isArray(list)) return [];
  return list.map(fields).flatMap((entry) => {
    const url = text(entry['url']);
    return url === '' ? [] : [{ url, title: plain(text(entry['title'])), snippet: plain(text(entry[snippet])) }];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Services mark the words that were found with `<strong>`, and some escape the rest as HTML. */
function plain(words: string): string {
  return words
    .replace(/<\/?(?:strong|b|em|i|span)(?:\s[^<>]*)?>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole: string, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
