import { randomUUID } from 'node:crypto';
import type { Dialogs, FileTexts } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import { present } from '../../domain/present.js';
import type { Gate } from '../../domain/tool/permission.js';
import type { ChangeRecorder } from '../../domain/workspace/changes.js';
import type { ChangeAuthor } from '../../domain/workspace/change-author.js';
import {
  type AppliedChanges,
  type AppliedState,
  appliedState,
  type BroughtChanges,
  type ElfWorktrees,
  type FileConflict,
  type LeftFile,
  namedFiles,
} from '../../elf/brought.js';
import type { Documents, FileChange } from '../../domain/workspace/documents.js';
import { accessesOf } from '../../elf/agents-tool.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { showName } from '../../text/show.js';
import type { Worktrees } from './worktrees.js';

/** Services for applying what was changed in a worktree. */
export interface ApplyDeps {
  readonly worktrees: Pick<ElfWorktrees, 'bring' | 'write'>;
  /** Where removed worktrees are. */
  readonly trash: Pick<Worktrees, 'whereIs' | 'restore'>;
  readonly dialogs: Pick<Dialogs, 'confirmChanges' | 'modal' | 'notify' | 'merge'>;
  readonly changes: ChangeRecorder;
  readonly documents: Pick<Documents, 'read'>;
  /** Says of which files the user would be asked if the model changed them itself. */
  readonly gate: Pick<Gate, 'judge'>;
  /** Takes how its files stand to those of the user. */
  readonly noted?: (state: AppliedState) => void;
}

/** Milliseconds that looking at a worktree may take. */
const LOOK_MS = 120_000;

const WHY: Readonly<Record<LeftFile['why'], () => string>> = {
  conflict: () => t('You have changed the same lines'),
  folder: () => t('A folder became a file, or a file a folder, and not all of that can be applied'),
  unsaved: () => t('It has unsaved changes'),
  not_text: () => t('Not a text file, or too large'),
  notebook: () => t('A notebook'),
  not_a_file: () => t('Not a regular file'),
  mode: () => t('Only its permissions differ'),
  name: () => t('Its name is not in UTF-8'),
  filter: () => t('A filter in your Git settings failed'),
};

/** A worktree, as the user knows it. */
export interface AppliedWorktree {
  readonly worktree: string;
  /** What it is for. */
  readonly title: string;
  /** Under whose name what it has changed is reviewed. */
  readonly by: ChangeAuthor;
}

/** What came of applying. */
export interface ApplyOutcome {
  /** Whether anything was written. */
  readonly wrote: boolean;
  /** Settles once the user has read what came of it, and merged what they can. */
  readonly told: Promise<void>;
}

const NOTHING: ApplyOutcome = { wrote: false, told: Promise.resolve() };

/**
 * Shows the user what was changed in a worktree, and writes it into their files if they want. They review it there hunk by hunk, and it is undone
 * with the last message of the chat. Files of which both have changed the same lines are left to them, to be merged.
 * @throws Error with a sentence for the user where the worktree cannot be read, or nothing can be written
 */
export async function applyChanges(deps: ApplyDeps, chat: AgentSession, applied: AppliedWorktree): Promise<ApplyOutcome> {
  const { worktree, by } = applied;
  if (!(await isThere(deps, applied))) return NOTHING;
  const { brought, again } = await bringFor(worktree, deps);
  const { changes, left, conflicts } = brought;
  deps.noted?.(changes.length === 0 ? appliedState(brought) : present({ conflicts: conflicts.length || undefined }));
  if (changes.length === 0 && conflicts.length === 0) return { wrote: false, told: tellNothing(deps, applied, { brought, again }) };
  let problems: readonly string[] = [];
  if (changes.length > 0) {
    if (!(await isWanted(deps, chat, applied, { brought, again: again !== undefined }))) return NOTHING;
    problems = await writeAll(deps, chat, { worktree, brought, by });
    const wroteNone = problems.length === changes.length;
    if (wroteNone && conflicts.length === 0) throw new Error([...problems, ...leftLines(left)].join('\n'));
    if (problems.length === 0) deps.noted?.(appliedState(brought));
  }
  return { wrote: changes.length > problems.length, told: tell(deps, chat, { worktree, brought, by, problems }) };
}

/** Whether a worktree can be read: one in the trash is restored where the user wants that. */
async function isThere({ trash, dialogs }: ApplyDeps, { worktree, by }: AppliedWorktree): Promise<boolean> {
  const where = await trash.whereIs(worktree);
  if (where === 'nowhere') void dialogs.notify('info', t('The worktree is not there any more.'));
  if (where !== 'trash') return where === 'there';
  const restore = t('Restore');
  const answer = await dialogs.modal(t('The worktree of {0} is in the trash.', by.name), t('Restore it to apply its changes.'), restore);
  if (answer !== restore) return false;
  if (await trash.restore(worktree)) return true;
  throw new Error(t('The worktree {0} cannot be restored: it is gone, or there is another one of its name.', worktree));
}

interface Brought {
  readonly brought: BroughtChanges;
  /** All that differs from the beginning, where nothing is new. */
  readonly again: BroughtChanges | undefined;
}

/** What a worktree has that is new here; where nothing is, what was applied before, and was undone here. */
async function bringFor(worktree: string, { worktrees }: ApplyDeps): Promise<Brought> {
  const signal = AbortSignal.timeout(LOOK_MS);
  const brought = await worktrees.bring(worktree, signal);
  if (brought.changes.length + brought.conflicts.length > 0) return { brought, again: undefined };
  const again = await worktrees.bring(worktree, signal, true);
  return { brought: again.changes.length > 0 ? again : brought, again };
}

/** Says why there is nothing to apply. */
async function tellNothing({ dialogs }: ApplyDeps, { by: { name } }: AppliedWorktree, { brought: { left }, again }: Brought): Promise<void> {
  if (left.length > 0) return void (await dialogs.notify('warning', [t('Nothing more of {0} can be applied.', name), ...leftLines(left)].join(' ')));
  if (again === undefined || again.applied.size + again.left.length === 0) await dialogs.notify('info', t('{0} has not changed any files.', name));
  else if (again.left.length === 0) await dialogs.notify('info', t('Your files have all that {0} has changed already.', name));
  else await dialogs.notify('info', t('All that {0} has changed was applied already, and you have changed it since.', name));
}

/** Asks whether changes are to be written; the user can look at them before. */
async function isWanted(
  deps: ApplyDeps,
  chat: AgentSession,
  { title, by }: AppliedWorktree,
  { brought, again }: { readonly brought: BroughtChanges; readonly again: boolean },
): Promise<boolean> {
  const { dialogs, documents } = deps;
  const { changes, left, undone } = brought;
  const yes = t('Apply');
  const takenBack = undone.length > 0 && undone.length < changes.length ? [t('You have undone this before: {0}.', namedFiles(undone))] : [];
  const text = `${title}: ${questionFor(changes.length, again || undone.length === changes.length)}`;
  const named = namedChanges(brought);
  const detail = [...(await reasonsFor(changes, chat, deps)), changedFiles(named), ...takenBack, ...leftLines(left)].join('\n\n');
  if (dialogs.confirmChanges === undefined) return (await dialogs.modal(text, detail, yes)) === yes;
  const files = await Promise.all(named.map((each) => textsOf(each, documents)));
  return dialogs.confirmChanges({ text, detail, title: t('Apply Changes of {0}', by.name), yes, files });
}
async function textsOf({ change, path, from }: NamedChange, documents: ApplyDeps['documents']): Promise<FileTexts> {
  const file = change.action === 'create' ? undefined : await documents.read(sourceOf(change), AbortSignal.timeout(LOOK_MS));
  const before = file?.kind === 'text' ? file.text : undefined;
  return { path, ...present({ from, before, after: change.action === 'delete' ? undefined : change.text }) };
}

/** The path of the file that a change is made from. */
function sourceOf(change: FileChange): string {
  return change.action === 'modify' ? (change.from ?? change.path) : change.path;
}

/** A change with the paths of its file in the working tree. */
interface NamedChange {
  readonly change: FileChange;
  readonly path: string;
  /** Where it was, of one that is moved. */
  readonly from?: string;
}

function namedChanges({ changes, shown, applied }: BroughtChanges): readonly NamedChange[] {
  return changes.map((change, index) => {
    const path = shown[index]?.name ?? change.path;
    const source = change.action === 'modify' ? change.from : undefined;
    // What counts as applied of a move are both paths.
    const from = source && (applied.get(change.path)?.find((file) => file.path !== path)?.path ?? source);
    return { change, path, ...present({ from }) };
  });
}

/** Names them, those first of which a file goes: at the end they could be left out. */
function changedFiles(named: readonly NamedChange[]): string {
  const goes = ({ change, from }: NamedChange): boolean => change.action === 'delete' || from !== undefined;
  const words = ({ change, path, from }: NamedChange): string => {
    if (change.action === 'delete') return t('{0} (deleted)', path);
    return from === undefined ? path : `${from} → ${path}`;
  };
  return namedFiles([...named.filter(goes), ...named.filter((each) => !goes(each))].map(words));
}

/** What the user would be asked about if the model changed the files itself, although edits are accepted: a sentence for each, none is left out. */
async function reasonsFor(changes: readonly FileChange[], chat: AgentSession, { gate }: ApplyDeps): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(LOOK_MS);
  const reasons = new Set<string>();
  for (const change of changes) {
    for (const access of accessesOf(change)) {
      const plan = { tool: 'agents', subject: 'apply', args: {}, accesses: [access], preview: { kind: 'none' }, changes: [change] } as const;
      const judgment = await gate.judge({ sessionId: chat.id, callId: 'apply', mode: 'acceptEdits', plan }, signal);
      if (judgment.type === 'ask' && judgment.plain !== true) for (const reason of judgment.reasons) reasons.add(reason);
      if (judgment.type === 'deny' && judgment.denial.kind === 'rule')
        reasons.add(t('The deny rule {0} is about {1}.', judgment.denial.rule, judgment.denial.what));
    }
  }
  return reasons.size === 0 ? [] : [[...reasons].join('\n')];
}

function questionFor(files: number, again: boolean): string {
  if (again) return files === 1 ? t('Apply what you have undone of this change again?') : t('Apply what you have undone in {0} files again?', String(files));
  return files === 1 ? t('Apply this change to your files?') : t('Apply the changes in {0} files to your files?', String(files));
}

/** Says what was applied and what was not, and has the user merge what they can. */
async function tell(
  deps: ApplyDeps,
  chat: AgentSession,
  { worktree, brought, by, problems }: Applied & { readonly brought: BroughtChanges; readonly problems: readonly string[] },
): Promise<void> {
  const { dialogs } = deps;
  const { changes, left, conflicts } = brought;
  const written = changes.length - problems.length;
  const words = [...(written === 0 ? [] : [appliedText(written, by)]), ...problems, ...leftLines(left)].join(' ');
  const { merge } = dialogs;
  if (left.length + problems.length === 0)
    return void (await dialogs.notify('info', `${words} ${t('Review the changes in the editor, or under “Changed files” in the chat.')}`));
  if (conflicts.length === 0 || merge === undefined) return void (await dialogs.notify('warning', words));
  const resolve = conflicts.length === 1 ? t('Resolve Conflict…') : t('Resolve Conflicts…');
  if ((await dialogs.notify('warning', words, resolve)) !== resolve) return;
  const open = new Set(conflicts.map(({ path }) => path));
  await merge(
    conflicts.map((conflict) => {
      const save = savingOf(deps, chat, { worktree, conflict, by });
      return {
        ...conflict,
        author: by.name,
        save: async (text) => {
          await save(text);
          open.delete(conflict.path);
          deps.noted?.(appliedState(brought, open.size));
        },
      };
    }),
  );
}

function appliedText(files: number, { name }: ChangeAuthor): string {
  return files === 1 ? t('1 file of {0} is applied.', name) : t('{0} files of {1} are applied.', String(files), name);
}

/** Writes a merged file where it is still as it was when the merge began, or as it was last written from there. */
function savingOf(
  deps: ApplyDeps,
  chat: AgentSession,
  { worktree, conflict, by }: Pick<AppliedWorktree, 'worktree' | 'by'> & { readonly conflict: FileConflict },
): (text: string) => Promise<void> {
  const { path, hash } = conflict;
  let written: string | undefined;
  return async (text) => {
    const now = await deps.documents.read(path, AbortSignal.timeout(LOOK_MS));
    if (now.kind !== 'text' || now.unsaved) throw new Error(t('{0} has unsaved changes. Save them, and try again.', showName(conflict.name)));
    if (written === undefined ? now.hash !== hash : now.text !== written)
      throw new Error(
        t(
          '{0} has changed since the merge began, so it was not overwritten. Apply the changes again to merge with what is there now.',
          showName(conflict.name),
        ),
      );
    const changes = now.text === text ? [] : [{ action: 'modify', path, text, baseHash: now.hash } as const];
    // Nothing to write: the user’s version is what both have become, and not one that was undone.
    const applied = changes.length > 0 || written !== undefined ? conflict.applied : conflict.applied.map(({ replaced: _, ...file }) => file);
    const brought = { changes, applied: new Map([[path, applied]]) };
    const [problem] = changes.length > 0 ? await writeAll(deps, chat, { worktree, brought, by }) : [];
    if (problem !== undefined) throw new Error(problem);
    if (changes.length === 0) await deps.worktrees.write(worktree, brought, AbortSignal.timeout(LOOK_MS));
    written = text;
  };
}

interface Applied extends Pick<AppliedWorktree, 'worktree' | 'by'> {
  readonly brought: AppliedChanges & Partial<Pick<BroughtChanges, 'shown'>>;
}

/**
 * Writes them as a call does, so that they can be reviewed and undone.
 * @returns why some could not be written, a sentence for the user for each
 */
async function writeAll(deps: ApplyDeps, chat: AgentSession, { worktree, brought, by }: Applied): Promise<readonly string[]> {
  const { worktrees, changes: recorder } = deps;
  const { changes } = brought;
  const accesses = changes.map(({ path }) => ({ kind: 'write', target: path }) as const);
  const plan = { tool: 'agents', subject: 'apply', args: {}, accesses, preview: { kind: 'none' }, changes } as const;
  const messageIndex = chat.messages.findLastIndex(({ role }) => role === 'user');
  const record = await recorder.begin({ sessionId: chat.id, by, callId: `apply-${randomUUID()}`, messageIndex, plan });
  let failed = true;
  try {
    if (record.lost === true && changes.some(({ action }) => action === 'delete'))
      throw new Error(t('Files would be deleted, and there is no room to keep them for undo. Nothing was changed.'));
    const problems = await worktrees.write(worktree, brought, new AbortController().signal);
    failed = problems.length === changes.length;
    return await Promise.all(problems.map((one) => sentenceFor(one, brought, deps)));
  } finally {
    await record.end({ failed });
  }
}

/** Why a change could not be written. What documents say of a file that has changed is for models. */
async function sentenceFor(
  { path, problem }: { readonly path: string; readonly problem: string },
  { changes, shown = [] }: Applied['brought'],
  { documents }: ApplyDeps,
): Promise<string> {
  const name = showName(shown.find((each) => each.path === path)?.name ?? path);
  const change = changes.find((each) => each.path === path);
  const before = change === undefined || change.action === 'create' ? undefined : change.baseHash;
  const source = change === undefined ? path : sourceOf(change);
  const isOther = (await differsFrom(before, source, documents)) || (source !== path && (await differsFrom(undefined, path, documents)));
  return isOther ? t('{0} has changed meanwhile. Apply the changes again to have them merged.', name) : `${name}: ${problem}`;
}

/** Whether a file is another than the one with a hash; `undefined` for none. What cannot be read has another problem, which is known already. */
async function differsFrom(hash: string | undefined, path: string, documents: ApplyDeps['documents']): Promise<boolean> {
  try {
    const now = await documents.read(path, AbortSignal.timeout(LOOK_MS));
    return now.kind !== 'text' || now.hash !== hash;
  } catch {
    return false;
  }
}

/** Under whose name changes in a worktree of the user are reviewed. */
export function worktreeAuthor(name: string): ChangeAuthor {
  return { id: `worktree:${name}`, name: t('Worktree {0}', name) };
}

/** What stays in the worktree, a sentence for each reason. */
function leftLines(left: readonly LeftFile[]): readonly string[] {
  const reasons = [...new Set(left.map(({ why }) => why))];
  return reasons.map((reason) => `${WHY[reason]()}: ${namedFiles(left.filter(({ why }) => why === reason).map(({ path }) => path))}.`);
}
