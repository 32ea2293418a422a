import type { Readable } from 'node:stream';
import { errorCode } from './error-code.js';
import type { CommandOutput } from './command-output.js';
import type { LiveOutput } from './live-output.js';
import { TerminalText } from './terminal-text.js';

/** Milliseconds after which a line without end is passed on. */
const FLUSH_MS = 100;

/**
 * Carries what a stream brings to the output that is kept and to the person, as clean text, no faster than it can be
 * stored. Ends with the stream, or when that is destroyed.
 */
export async function drain(stream: Readable, kept: CommandOutput, live: LiveOutput): Promise<void> {
  const text = new TerminalText();
  const pass = async (part: string): Promise<void> => {
    live.add(part);
    await kept.add(part);
  };
  const timer = setInterval(() => void pass(text.flush()), FLUSH_MS);
  try {
    for await (const chunk of stream) await pass(text.push(chunk as Buffer));
  } catch (error) {
    // The stream was destroyed on purpose: somebody else still holds the pipe.
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearInterval(timer);
    await pass(text.end());
  }
}
