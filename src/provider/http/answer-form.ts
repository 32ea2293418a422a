/** What the body of an answer is. */
export type AnswerForm = 'events' | 'json' | 'page' | 'other';

/** An answer whose beginning was looked at. */
export interface KnownAnswer {
  readonly form: AnswerForm;
  /** What the server says that it is, for display; empty where it says nothing. */
  readonly contentType: string;
  /** The answer, with all of its body. */
  readonly response: Response;
}

/** Bytes of white space after which the form stays unknown. */
const MOST_SPACE = 4_096;

/**
 * Finds out whether an answer is an event stream, by its first bytes: gateways send good streams as `text/plain`, as
 * `application/octet-stream`, as JSON, or without any type. The type counts only where the bytes do not show it, and for web pages,
 * which may never send any. Sources: RFC 9110, section 8.3.1 (types are without case); WHATWG HTML, "Event stream format".
 * @throws what reading the body throws
 */
export async function knownAnswer(response: Response): Promise<KnownAnswer> {
  const contentType = response.headers.get('content-type') ?? '';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml') return { form: 'page', contentType, response };
  const { body } = response;
  const { first, rest } = body === null ? { first: '', rest: null } : await begun(body);
  const labeled = type === '' || type === 'text/event-stream' ? 'events' : type.includes('json') ? 'json' : 'other';
  return { form: formOf(first) ?? labeled, contentType, response: new Response(rest, response) };
}

/** What a beginning is; `undefined` where it could be anything. */
function formOf(first: string): AnswerForm | undefined {
  const words = first.trimStart();
  if (/^[[{]/.test(words)) return 'json';
  if (words.startsWith('<')) return 'page';
  return /^(?::|(?:data|event|id|retry)(?:[ \t]*:|[\r\n]|$))/.test(words) ? 'events' : undefined;
}

/** Whether a beginning is long enough to recognize the form. */
function tells(first: string): boolean {
  return first.length > MOST_SPACE || /^\s*(?:[^a-z\s]|[a-z]{1,5}[^a-z]|[a-z]{6})/.test(first);
}

interface Begun {
  readonly first: string;
  readonly rest: ReadableStream<Uint8Array>;
}

/** Reads as much of a body as is needed to recognize its form. */
async function begun(body: ReadableStream<Uint8Array>): Promise<Begun> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read: Uint8Array[] = [];
  let first = '';
  let ended = false;
  while (!ended && !tells(first)) {
    const { done, value } = await reader.read();
    ended = done;
    if (value === undefined) continue;
    read.push(value);
    first += decoder.decode(value.subarray(0, MOST_SPACE + 1), { stream: true });
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const next = read.shift();
    const { done, value } = next === undefined ? await reader.read() : { done: false, value: next };
    if (value !== undefined) controller.enqueue(value);
    else if (done) controller.close();
  };
  return { first, rest: new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 }) };
}
