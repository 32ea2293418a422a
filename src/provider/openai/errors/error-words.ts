import { count, list, parsed, record, text } from '../json.js';

/** What a server says of a failure, gathered from the forms that servers use. */
export interface ErrorWords {
  readonly message: string;
  /** `code`, `type` and `status` together, for telling kinds apart. */
  readonly label: string;
  /** The status of the failure, where the body contains it. */
  readonly status?: number;
  /** Milliseconds to wait, as Google writes them into the body. */
  readonly retryAfterMs?: number;
}

/** How deep an error may be wrapped in others. */
const DEPTH = 4;

/**
 * Parses the body of a failure: `{error: {message, type, code}}` (OpenAI and most), `{error: "…"}` (Ollama, LM Studio),
 * `{object: "error", message}` (Mistral, older vLLM), `[{error}]` (Gemini), `{detail: [{msg}]}` (FastAPI), and
 * OpenRouter's, which contains the message of the upstream server in `metadata.raw`.
 */
export function errorWords(body: unknown, depth = DEPTH): ErrorWords {
  const error = record(Array.isArray(body) ? body[0] : body);
  if (error === undefined || depth === 0) return { message: text(body), label: '' };
  const inner = error['error'] ?? error['detail'];
  if (text(error['message']) === '' && inner !== undefined && inner !== null) return errorWords(inner, depth - 1);
  const behind = innerWords(error, depth);
  const status = count(error['code']) ?? count(Number(text(error['code']) || Number.NaN));
  const wait = retryDelay(error['details']);
  return {
    message: behind ?? (text(error['message']) || text(error['msg'])),
    label: ['code', 'type', 'status', 'reason'].map((key) => text(error[key])).join(' '),
    ...(status !== undefined && status >= 400 && status < 600 ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The message of the server behind a gateway. */
function innerWords(error: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  const raw = text(record(error['metadata'])?.['raw']);
  const { message } = errorWords(parsed(raw), depth - 1);
  return message === '' ? undefined : message;
}

/** Google's `RetryInfo`: `{"retryDelay": "34s"}`. Source: cloud.google.com, "google.rpc.RetryInfo". */
function retryDelay(details: unknown): number | undefined {
  for (const detail of list(details)) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text(record(detail)?.['retryDelay']))?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return undefined;
}
