import { previewRestore, restoreBefore, type RestoreReport } from '../../edits/restore.js';
import type { SkipReason } from '../../domain/workspace/changes.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { HeadlessHost } from '../open-host.js';
import type { ControlBody } from './control.js';
import type { SaidMessages } from './said-messages.js';

/** Why a file was left alone that the protocol counts as links. */
const LINKS: readonly SkipReason[] = ['link', 'hard_link', 'not_a_file'];

/**
 * Answers `rewind_files`: puts the files back to before a message of the user, as far as what was changed since is recorded. Files with later
 * work of the user keep it. With `dry_run`, it only says what would be done.
 * @throws Error with the reason where nothing can be done; for a dry run, that is an answer, too
 */
export async function rewindFiles(
  parts: Pick<HeadlessHost, 'checkpoints' | 'changedFiles' | 'ledger'> & { readonly said: SaidMessages },
  session: AgentSession,
  { user_message_id: id, dry_run: dry }: ControlBody,
): Promise<ControlBody> {
  if (typeof id !== 'string' || id === '') throw new Error('rewind_files needs the user_message_id of a message.');
  const report = await rewound(parts, session, { id, dry: dry === true });
  if (typeof report === 'object') return answerOf(report);
  if (dry === true) return { canRewind: false, error: report };
  throw new Error(report);
}

/** @returns what was done, or a sentence that says why nothing could be */
async function rewound(
  { checkpoints, changedFiles: files, ledger, said }: Parameters<typeof rewindFiles>[0],
  session: AgentSession,
  { id, dry }: { readonly id: string; readonly dry: boolean },
): Promise<RestoreReport | string> {
  const indexes = session.messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const index = said.find(session.id, id, indexes);
  if (index === undefined) return `There is no message of the user “${id}” in this session.`;
  if (session.state !== 'idle') return 'Files cannot be put back while the agent works. Interrupt it first.';
  const restoring = { checkpoints, files };
  const report = await (dry
    ? previewRestore(restoring, session.id, index)
    : restoreBefore({ ...restoring, ask: () => Promise.resolve('keep') }, session.id, index));
  const { restored, deleted, kept, skipped } = report;
  if ([restored, deleted, kept, skipped].every(({ length }) => length === 0)) return 'Nothing is recorded that was changed since this message.';
  if (!dry) await ledger.restored([...restored, ...deleted]);
  return report;
}

function answerOf({ restored, deleted, kept, skipped }: RestoreReport): ControlBody {
  const links = skipped.filter(({ why }) => typeof why === 'string' && LINKS.includes(why)).length;
  return {
    canRewind: restored.length + deleted.length > 0,
    filesChanged: [...restored, ...deleted],
    ...(restored.length + deleted.length > 0 ? {} : { error: 'No file could be put back.' }),
    ...(kept.length > 0 ? { filesKept: kept } : {}),
    ...(skipped.length > 0 ? { filesSkipped: skipped.map(({ path, why }) => ({ path, why: typeof why === 'string' ? why : why.problem })) } : {}),
    ...(links > 0 ? { skippedLinks: links } : {}),
  };
}
