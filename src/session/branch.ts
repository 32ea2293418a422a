import { errorMessage } from '../domain/errors.js';
import type { Message } from '../domain/model/message.js';
import type { SessionMeta, SessionParent } from '../domain/session/session-store.js';
import { trimFraction } from './codec/time.js';
import { SessionDocument } from './document.js';
import { loadSteady } from './load.js';
import { type OpenedSession, type StoreContext, NOTHING, record } from './opening.js';
import { type RecoveredSession, recover, withInterruption } from './journal/recovery.js';
import { patchMeta } from './sidecar.js';
import { titleOf } from './library/title.js';

/** Which messages of which session a branch begins with. */
export interface BranchPoint {
  /** The folder that it is in. */
  readonly folder: string;
  readonly from: string;
  readonly count: number;
  /** Of the branch. */
  readonly id: string;
}

/**
 * Starts a session with the first messages of another one, as they are on the disk: its lock is not taken.
 * When it cannot be written it continues in memory, as any session does, and says so.
 * @throws InvalidDataError when the other one cannot be read.
 */
export async function branchSession(context: StoreContext, point: BranchPoint, onClose: () => void): Promise<OpenedSession> {
  const { id, from, folder } = point;
  const loaded = await loadSteady(context.writer.files, folder, from);
  const recovered = recover(from, loaded.envelope?.session, loaded.journal);
  const messages = recovered.messages.map(({ message }) => message);
  const count = wholeCount(messages, point.count);
  const now = trimFraction(context.clock.timestamp());
  const head = { id, systemPrompt: recovered.head.systemPrompt, createdAt: now, updatedAt: now };
  const cut = cutSession(recovered, count);
  const meta = branchMeta(withInterruption(loaded.sidecar.meta, cut), messages, { id: from, count });
  const document = SessionDocument.of(id, { ...cut, head }, meta);
  const { recorder, disk } = record(context, { id, document, loaded: NOTHING, recovered: undefined, lock: undefined }, onClose);
  disk.patchMeta(meta);
  const warnings: string[] = [];
  await recorder.fold().catch((error: unknown) => warnings.push(errorMessage(error)));
  return { recorder, open: { session: document.snapshot(), meta, warnings, recorder } };
}

function cutSession(recovered: RecoveredSession, count: number): RecoveredSession {
  const { interruptedAt } = recovered;
  const stillThere = interruptedAt !== undefined && interruptedAt < count ? interruptedAt : undefined;
  return { ...recovered, messages: recovered.messages.slice(0, count), folded: Math.min(recovered.folded, count), interruptedAt: stillThere };
}

/** How many of the first messages there are without a call at their end that has no result among them. */
export function wholeCount(messages: readonly Message[], wanted: number): number {
  const count = Math.max(0, Math.min(Math.trunc(wanted), messages.length));
  const answered = new Set<string>();
  for (let at = count - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === 'tool_result') answered.add(message.toolCallId);
    else return message !== undefined && callIds(message).some((id) => !answered.has(id)) ? at : count;
  }
  return count;
}

function callIds(message: Message): readonly string[] {
  return message.content.flatMap((block) => (block.type === 'tool_call' ? [block.id] : []));
}

/** What the meta of a session says about its first messages, and nothing about later ones. */
export function branchMeta(meta: SessionMeta, messages: readonly Message[], parent: SessionParent): SessionMeta {
  const { count } = parent;
  const kept = messages.slice(0, count);
  const calls = new Set(kept.flatMap(callIds));
  return patchMeta(meta, {
    title: meta.title ?? titleOf(kept),
    parent,
    pinned: undefined,
    // It is known as a whole only.
    costUsd: count === messages.length ? meta.costUsd : undefined,
    byModel: count === messages.length ? meta.byModel : undefined,
    // What was raised for one chat holds for that alone, and its agents stay with it.
    elfLimits: undefined,
    elvesTold: undefined,
    elfTrees: undefined,
    models: before(meta.models, count),
    routings: before(meta.routings, count),
    turns: before(meta.turns, count),
    redacted: before(meta.redacted, count),
    outcomes: before(meta.outcomes, count),
    compactions: meta.compactions?.filter(({ upTo, at }) => upTo <= count && at <= count),
    heldBack: meta.heldBack?.filter(({ from }) => from < count).map(({ from, to }) => ({ from, to: Math.min(to, count) })),
    denials: meta.denials?.filter(({ toolCallId }) => calls.has(toolCallId)),
    hookRuns: meta.hookRuns?.filter(({ toolCallId }) => calls.has(toolCallId)),
  });
}

function before<T>(byIndex: Readonly<Record<string, T>> | undefined, count: number): Readonly<Record<string, T>> | undefined {
  return byIndex && Object.fromEntries(Object.entries(byIndex).filter(([index]) => Number(index) < count));
}
