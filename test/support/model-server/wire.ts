/** A content block of a request or an answer, as JSON. */
export interface WireBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** One entry of `messages`. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly WireBlock[];
}

/** The body of `POST /v1/messages`, with the fields that the server looks at. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly WireBlock[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly stream?: boolean;
  readonly temperature?: number;
  readonly thinking?: Readonly<Record<string, unknown>>;
}

/** One event of the answer's stream; its `type` is also the SSE event name. */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The blocks of a message, also where it is written as a plain string. */
export function blocksOf(message: WireMessage): readonly WireBlock[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** What goes with a message and is none of its words: the facts about where the agent works. */
const FACTS = /^<environment(?:-\d+)?>\n/;

/** The text of the last user message of a request: what the person said, or '' when only tool results came. */
export function lastUserText(request: WireRequest): string {
  const last = request.messages.findLast((message) => message.role === 'user');
  const texts = last === undefined ? [] : blocksOf(last).filter((block) => block.type === 'text' && !FACTS.test(String(block['text'])));
  return texts.map((block) => String(block['text'])).join('\n');
}

/** The tool results in the last message of a request, in order. */
export function lastToolResults(request: WireRequest): readonly WireBlock[] {
  const last = request.messages.at(-1);
  return last === undefined ? [] : blocksOf(last).filter((block) => block.type === 'tool_result');
}

/** The text of one tool result block. */
export function resultText(block: WireBlock): string {
  const content = block['content'];
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: WireBlock) => (part.type === 'text' ? String(part['text']) : '')).join('');
}
