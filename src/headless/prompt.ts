import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { present } from '../domain/present.js';

/** Bytes of standard input that a prompt can have, as in Claude Code. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Milliseconds that the first byte of a pipe is waited for where there is a prompt without it: a job runner may leave one open that nobody writes to. */
const FIRST_BYTE_MS = 3_000;
const LATE =
  `Nothing came on standard input within ${FIRST_BYTE_MS / 1_000} seconds, so only the words of the command line are sent. ` +
  'Write what takes longer to a file, and name that in the prompt; < /dev/null says that there is nothing.';

/** A prompt, or why there is none, as a sentence for the user. */
export type Prompt =
  | {
      readonly kind: 'prompt';
      readonly words: string;
      readonly data?: string;
      /** What the user has to know of it, as a sentence: that a pipe was not waited for. */
      readonly note?: string;
    }
  | { readonly kind: 'none'; readonly why: string };

/** The prompt of a run: the words on the command line, and as data what stands in a pipe. Without words, the pipe has them. */
export async function promptOf(words: string | undefined, input: Readable & { readonly isTTY?: boolean; readonly fd?: number }): Promise<Prompt> {
  const piped: Piped = input.isTTY === true || !hasContent(input.fd) ? NOTHING : await readAll(input, words === undefined ? undefined : FIRST_BYTE_MS);
  if (piped.kind === 'too_large')
    return { kind: 'none', why: `Standard input is larger than ${MAX_BYTES / 1024 / 1024} MB. Write it to a file, and name that in the prompt.` };
  const data = piped.kind === 'late' || piped.text.trim() === '' ? undefined : piped.text;
  if (words !== undefined && words.trim() !== '') return { kind: 'prompt', words, ...present({ data, note: piped.kind === 'late' ? LATE : undefined }) };
  if (data === undefined)
    return { kind: 'none', why: 'There is no prompt. Give one on the command line or on standard input, such as: gnomon -p "Fix the failing test"' };
  return { kind: 'prompt', words: data };
}

/** Whether standard input is something that ends: a pipe, a socket, or a file. A device such as /dev/null has nothing. */
function hasContent(fd: number | undefined): boolean {
  if (fd === undefined) return true;
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // It is closed.
    return false;
  }
}

/** What stood on standard input; `late` where nothing did in time. */
type Piped = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'too_large' } | { readonly kind: 'late' };

const NOTHING: Piped = { kind: 'text', text: '' };

async function readAll(input: Readable, firstWithinMs: number | undefined): Promise<Piped> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const late = firstWithinMs === undefined ? undefined : setTimeout(() => done({ kind: 'late' }), firstWithinMs);
    const done = (read: Piped): void => {
      clearTimeout(late);
      input.off('data', take).off('end', end).off('error', reject);
      input.pause();
      resolve(read);
    };
    const take = (part: Buffer): void => {
      clearTimeout(late);
      size += part.length;
      if (size > MAX_BYTES) done({ kind: 'too_large' });
      else parts.push(part);
    };
    const end = (): void => done({ kind: 'text', text: Buffer.concat(parts).toString('utf8') });
    input.on('data', take).once('end', end).once('error', reject);
  });
}
