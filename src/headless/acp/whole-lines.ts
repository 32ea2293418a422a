import { LineReader, type LongLine } from '../../mcp/client/transport/line-reader.js';

/** Bytes of a message of an editor at most, with the end of its line: more than a prompt with the largest pictures that providers take. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** The code of JSON-RPC 2.0 for a request that cannot be taken. */
const INVALID_REQUEST = -32_600;

/** Who tells of a message that is too long. */
export interface LongLines {
  /** Writes a line to the editor. */
  readonly answer: (line: string) => void;
  /** Takes a sentence about it. */
  readonly warn: (message: string) => void;
}

/**
 * Passes on the lines of an editor that are short enough to be messages. A longer request is answered with an error, and a longer answer passed on as one:
 * its request has ended by then. The official library gives up on the connection instead, and so on the sessions in it.
 */
export function wholeLines({ answer, warn }: LongLines): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  let reader: LineReader;
  return new TransformStream({
    start: (controller) => {
      const line = (text: string): void => controller.enqueue(encoder.encode(`${text}\n`));
      const tooLong = (long: LongLine): void => {
        const message = `A message of ${long.bytes} bytes is too long: at most ${MAX_MESSAGE_BYTES} are read. Attach less at a time.`;
        warn(message);
        const { id, isAnswer } = headerOf(long);
        const error = JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } });
        if (isAnswer) line(error);
        else answer(`${error}\n`);
      };
      reader = new LineReader(MAX_MESSAGE_BYTES - 1, { line, tooLong });
    },
    transform: (bytes) => reader.push(bytes),
    flush: () => reader.end(),
  });
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
/** The first keys of a message, up to the one of which it is long, or that says what it is. */
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?(?:${ID},\s*)?(?:${VERSION},\s*)?"(method|params|result|error)"`);
/** The id at the end of a message: behind that of an inner object, another brace would follow. */
const LAST = new RegExp(String.raw`,\s*${ID}(?:,\s*${VERSION})?\}\s*$`);

/** Whose message it is, of which only the edges are there. */
function headerOf({ head, tail }: LongLine): { readonly id: unknown; readonly isAnswer: boolean } {
  const first = FIRST.exec(head);
  const id = first?.[1] ?? LAST.exec(tail)?.[1];
  const isAnswer = id !== undefined && (first?.[2] === 'result' || first?.[2] === 'error');
  return { id: id === undefined ? null : JSON.parse(id), isAnswer };
}
