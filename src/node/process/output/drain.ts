import type { Readable } from 'node:stream';
import { errorCode } from '../../files/error-code.js';
import { TerminalText } from '../terminal-text.js';

/** Milliseconds after which a line without end is passed on. */
const FLUSH_MS = 100;

/**
 * Carries what a stream brings on as clean text, no faster than it is taken. Ends with the stream, or when that is
 * destroyed.
 * @param take resolves when it can take more; never rejects.
 */
export async function drain(stream: Readable, take: (text: string) => Promise<void>): Promise<void> {
  const text = new TerminalText();
  const timer = setInterval(() => void take(text.flush()), FLUSH_MS);
  try {
    for await (const chunk of stream) await take(text.push(chunk as Buffer));
  } catch (error) {
    // The stream was destroyed on purpose: somebody else still holds the pipe.
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearInterval(timer);
    await take(text.end());
  }
}
