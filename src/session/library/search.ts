import { wordsOf } from '../../domain/session/attached.js';
import { errorMessage } from '../../domain/errors.js';
import type { Message } from '../../domain/model/message.js';
import type { SessionHit } from '../../domain/session/session-library.js';
import type { SessionSummary } from '../../domain/session/session-store.js';
import { loadSteady } from '../load.js';
import type { StoreContext } from '../opening.js';
import { recover } from '../journal/recovery.js';
import { yieldEvery } from '../../concurrency/steps.js';
import { wellFormed } from '../codec/strings.js';

/** Characters of an excerpt before and after what was found. */
const AROUND = 60;

/** Looks for a text in the sessions of a folder, one session in memory at a time: see `SessionLibrary.search`. */
export async function* searchSessions(context: StoreContext, query: string, signal: AbortSignal): AsyncGenerator<SessionHit, void> {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return;
  for (const summary of await context.history.list()) {
    if (signal.aborted) return;
    const hit = summary.problem === undefined ? await searchOne(context, { summary, wanted, signal }) : undefined;
    if (hit !== undefined && !isAborted(signal)) yield hit;
  }
}

interface Search {
  readonly summary: SessionSummary;
  /** In lower case. */
  readonly wanted: string;
  readonly signal: AbortSignal;
}

async function searchOne(context: StoreContext, { summary, wanted, signal }: Search): Promise<SessionHit | undefined> {
  const { id, title, updatedAt } = summary;
  const pause = yieldEvery();
  for (const [index, message] of (await messagesOf(context, id)).entries()) {
    for (const text of textsOf(message)) {
      const excerpt = excerptOf(text, wanted);
      if (excerpt !== undefined) return { id, title, updatedAt, index, excerpt };
      await pause();
      if (signal.aborted) return undefined;
    }
  }
  const excerpt = excerptOf(title, wanted);
  return excerpt === undefined ? undefined : { id, title, updatedAt, excerpt };
}

async function messagesOf({ writer, folder }: StoreContext, id: string): Promise<readonly Message[]> {
  try {
    const { envelope, journal } = await loadSteady(writer.files, folder, id);
    return recover(id, envelope?.session, journal).messages.map(({ message }) => message);
  } catch (error) {
    writer.log.warn(`A conversation could not be searched: ${errorMessage(error)}`);
    return [];
  }
}

/** What people read: what was said. Not what was thought, nor what calls were made with and gave back. */
function textsOf(message: Message): readonly string[] {
  if (message.role === 'tool_result') return [];
  return message.role === 'user' ? [wordsOf(message)] : message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** The text around the first occurrence of another text; `undefined` when there is none. */
function excerptOf(text: string, wanted: string): string | undefined {
  const lower = text.toLowerCase();
  const at = lower.indexOf(wanted);
  if (at < 0) return undefined;
  // A few letters have another length in lower case; then the excerpt is taken from the text in lower case.
  const source = lower.length === text.length ? text : lower;
  const [from, to] = [Math.max(0, at - AROUND), Math.min(source.length, at + wanted.length + AROUND)];
  const words = wellFormed(source.slice(from, to))
    .replace(/\ufffd/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${words}${to < source.length ? '…' : ''}`;
}

/** The signal may have been aborted while something was awaited, which the compiler does not see. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
