import { t } from '../../domain/l10n.js';
import type { AssistantMessage } from '../../domain/model/message.js';
import type { SessionMeta } from '../../domain/session/session-store.js';
import type { DecodedSession, EnvelopeHead, StoredMessage } from '../codec/decode.js';
import { encodeMessage } from '../codec/encode.js';
import { laterTime, ZERO_TIME } from '../codec/time.js';
import type { ParsedJournal } from './journal.js';
import type { JournalLine, JournalMessage } from './journal-lines.js';
import { patchMeta } from '../sidecar.js';

/** What the files of a session amount to. */
export interface RecoveredSession {
  readonly head: EnvelopeHead;
  readonly messages: readonly StoredMessage[];
  /** How many of the first messages are in the envelope. */
  readonly folded: number;
  /** From here on the messages come from the journal, with redacted thinking marked; before, from the envelope. */
  readonly interruptedAt: number | undefined;
  /** The journal contains something that is neither in the envelope nor in `messages`: it must be kept. */
  readonly keepJournal: boolean;
  readonly warnings: readonly string[];
}

/** Raw stop reason of an answer that was cut off by the end of the program. */
const INTERRUPTED = 'interrupted';

/**
 * Lays a journal over its envelope. Doing it again after any crash gives the same messages:
 *
 * - Messages that the envelope has already (the crash came between the rename of a fold and the removal of the journal) are
 *   known by their content and place, and not added twice.
 * - An answer of which only a partial can be read is added as a message that was cut off.
 * - When the envelope has other messages than the journal expects, another program wrote it: its messages count, and the
 *   journal is kept aside.
 * @param envelope `undefined` while there is only a journal.
 */
export function recover(id: string, envelope: DecodedSession | undefined, journal: ParsedJournal): RecoveredSession {
  const present = envelope?.messages ?? [];
  const { base, additions, session } = summarize(journal.lines, present.length);
  const missing = remaining(present, additions, base);
  const added = missing ?? [];
  const messages = [...present, ...added.map(({ stored }) => stored)];
  const head = envelope ?? session ?? { id, systemPrompt: '', createdAt: added[0]?.updatedAt ?? ZERO_TIME, updatedAt: ZERO_TIME };
  const updatedAt = added.reduce((latest, line) => laterTime(latest, line.updatedAt), head.updatedAt);
  return {
    head: { id: head.id, systemPrompt: head.systemPrompt, createdAt: head.createdAt, updatedAt },
    messages,
    folded: present.length,
    interruptedAt: isInterrupted(messages.at(-1)) ? messages.length - 1 : undefined,
    keepJournal: missing === undefined || journal.badLines > 0,
    warnings: warningsOf(journal, missing !== undefined, base - present.length),
  };
}

interface JournalSummary {
  readonly base: number;
  readonly session: EnvelopeHead | undefined;
  readonly additions: readonly JournalMessage[];
}

function summarize(lines: readonly JournalLine[], present: number): JournalSummary {
  const byIndex = new Map<number, JournalMessage & { readonly kind: 'message' | 'partial' }>();
  let base: number | undefined;
  let session: EnvelopeHead | undefined;
  for (const line of lines) {
    if (line.kind === 'start') {
      base ??= line.base;
      session ??= line.session;
    } else if (line.kind === 'message' || byIndex.get(line.index)?.kind !== 'message') byIndex.set(line.index, line);
  }
  const sorted = [...byIndex.values()].sort((a, b) => a.index - b.index);
  const additions = sorted.flatMap((line) => (line.kind === 'message' ? [line] : interrupted(line)));
  return { base: base ?? sorted[0]?.index ?? present, session, additions };
}

/** The additions that the envelope lacks; `undefined` when the two do not fit together. */
function remaining(present: readonly StoredMessage[], additions: readonly JournalMessage[], base: number): readonly JournalMessage[] | undefined {
  if (present.length <= base) return additions;
  // A fold put the additions one after the other, even when a line between them could not be read.
  const folded = present.slice(base);
  if (folded.length <= additions.length && folded.every((stored, at) => same(stored, additions[at]?.stored))) {
    return additions.slice(folded.length);
  }
  // A line was damaged after its message was folded: the others are at their places.
  const inside = additions.filter(({ index }) => index < present.length);
  return inside.every((line) => same(present[line.index], line.stored)) ? additions.slice(inside.length) : undefined;
}

function same(a: StoredMessage | undefined, b: StoredMessage | undefined): boolean {
  return a !== undefined && b !== undefined && encodeMessage(a, undefined) === encodeMessage(b, undefined);
}

function interrupted(line: JournalMessage): readonly JournalMessage[] {
  const { message } = line.stored;
  if (message.role !== 'assistant' || message.content.length === 0) return [];
  const cut: AssistantMessage = { ...message, stopReason: 'aborted', rawStopReason: INTERRUPTED };
  return [{ ...line, stored: { message: cut } }];
}

function isInterrupted(stored: StoredMessage | undefined): boolean {
  const message = stored?.message;
  return message?.role === 'assistant' && message.stopReason === 'aborted' && message.rawStopReason === INTERRUPTED;
}

function warningsOf(journal: ParsedJournal, fits: boolean, gap: number): readonly string[] {
  const warnings: string[] = [];
  const bad = journal.badLines;
  if (bad > 0) {
    warnings.push(
      bad === 1
        ? t('One line of this chat’s journal could not be read and was skipped. A copy of the journal is kept next to the chat file.')
        : t('{0} lines of this chat’s journal could not be read and were skipped. A copy of the journal is kept next to the chat file.', bad),
    );
  }
  if (!fits) {
    warnings.push(
      t(
        'Another program changed this chat after its last messages were recorded here. Those messages are kept in a copy of the journal next to the chat file.',
      ),
    );
  }
  if (fits && gap > 0 && journal.lines.length > 0) {
    warnings.push(
      gap === 1
        ? t('One message before the most recent ones is missing from this chat’s file.')
        : t('{0} messages before the most recent ones are missing from this chat’s file.', gap),
    );
  }
  return warnings;
}

/** The meta with what recovery found: where the conversation was interrupted. */
export function withInterruption(meta: SessionMeta, recovered: RecoveredSession): SessionMeta {
  return patchMeta(meta, { interruptedAt: recovered.interruptedAt });
}
