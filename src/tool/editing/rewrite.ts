import { present } from '../../domain/present.js';
import type { Documents, TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type WriteDeps, type WriteState, draftChange } from './change-file.js';
import type { ContentAmendment, Draft } from '../calls/define.js';
import type { RunContext } from '../calls/sealed.js';
import { countLines } from '../../text/lines.js';
import { count, headOf, showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';

/** Most characters of the user's changes in a proposal that the model gets. */
const TOLD_CHARACTERS = 10_000;

/** A planned change, and what the user made of it. */
export interface Rewriting {
  readonly shown: WriteState;
  readonly amendment: ContentAmendment;
}

/**
 * Plans that a file gets exactly the text that the user wrote, in place of the one that was proposed for it. The model
 * gets the user's changes, so that it does not revert them.
 * @throws ToolInputError for another file, for one that is no longer what the proposal was made from, and when there is
 * nothing left to write; its text is for the user.
 */
export async function rewriteChange(deps: WriteDeps, { shown, amendment }: Rewriting, context: RunContext): Promise<Draft<WriteState>> {
  const { signal } = context;
  const { location, change, whole, presence } = shown;
  const name = showName(location.display);
  const { path, text: after } = amendment;
  // Where a file is moved, its place and its text were decided together.
  if (shown.from !== undefined) throw new ToolInputError(t('Only the text that this call writes can be edited.'));
  if (path !== change.path) throw new ToolInputError(t('This call is for {0} and cannot be changed to edit another file.', name));
  const before = presence === undefined ? await presentFile(deps.documents.for(context), shown, signal) : undefined;
  if (after === before?.text)
    throw new ToolInputError(t('{0} already has exactly this content, so there is nothing to write. To leave the file unchanged, deny the call.', name));
  const { text, done } = shown.proposed ?? { text: change.text, done: shown.done };
  const intended = { location, before, after, whole, ...present({ presence }) };
  if (after === text) return draftChange(intended, done, signal);
  const told = await changesIn(name, { before: text, after }, signal);
  const made = `${before === undefined ? 'Created' : 'Changed'} ${name}: ${count(countLines(after), 'line')}.`;
  const draft = await draftChange(intended, `${made} ${told.text}`, signal);
  return { ...draft, state: { ...draft.state, proposed: { text, done, toldWhole: told.whole } } };
}

/** The file as it is, as long as it is what the proposal was made from. */
async function presentFile(documents: Documents, { location, change }: WriteState, signal: AbortSignal): Promise<TextFile | undefined> {
  const stat = await documents.stat(location.real, signal);
  if (stat === undefined && change.action === 'create') return undefined;
  const file = stat?.type === 'file' && change.action === 'modify' ? await documents.read(location.real, signal) : undefined;
  if (file?.kind === 'text' && change.action === 'modify' && file.hash === change.baseHash) return file;
  throw new ToolInputError(t('{0} has changed since this edit was proposed. Deny the call so that Gnomon reads the file again.', showName(location.display)));
}

/** What the model is notified of the user's changes to its proposal. */
async function changesIn(
  name: string,
  versions: { readonly before: string; readonly after: string },
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const diff = await unifiedDiff(name, versions, signal);
  const words = 'What the user changed in your proposal:';
  if (diff.length <= TOLD_CHARACTERS) return { text: `${words}\n\n${diff}`, whole: true };
  const head = headOf(diff, TOLD_CHARACTERS);
  return {
    text: `${words}\n\n${head}\n[${count(diff.length - head.length, 'more character')} left out. Read the file before you change it again.]`,
    whole: false,
  };
}
