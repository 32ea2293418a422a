import { randomUUID } from 'node:crypto';
import type { Dialogs } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import { present } from '../../domain/present.js';
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
import type { Documents } from '../../domain/workspace/documents.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { showName } from '../../text/show.js';

/** Services for applying what was changed in a worktree. */
export interface ApplyDeps {
  readonly worktrees: Pick<ElfWorktrees, 'bring' | 'write'>;
  readonly dialogs: Pick<Dialogs, 'beside' | 'notify' | 'merge'>;
  readonly changes: ChangeRecorder;
  readonly documents: Pick<Documents, 'read'>;
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

/**
 * Shows the user what was changed in a worktree, and writes it into their files if they want. They review it there hunk by hunk, and it is undone
 * with the last message of the chat. Files of which both have changed the same lines are left to them, to be merged.
 * @returns whether anything was written
 * @throws Error with a sentence for the user where there is nothing to take over, or it cannot be written
 */
export async function applyChanges(deps: ApplyDeps, chat: AgentSession, applied: AppliedWorktree): Promise<boolean> {
  const { worktree, title, by } = applied;
  const { brought, again } = await bringFor(worktree, deps);
  const { changes, shown, left, conflicts } = brought;
  deps.noted?.(changes.length === 0 ? appliedState(brought) : present({ conflicts: conflicts.length || undefined }));
  if (changes.length === 0 && conflicts.length === 0) throw new Error([t('There is nothing to apply.'), ...leftLines(left)].join(' '));
  let problems: readonly string[] = [];
  if (changes.length > 0) {
    const apply = t('Apply');
    const question = questionFor(changes.length, again);
    const text = [...leftLines(left).map((line) => `# ${line}`), ...shown.map(({ name, diff }) => (diff === '' ? `# ${showName(name)}` : diff))].join('\n');
    const document = { title: `${worktree}.diff`, text };
    if ((await deps.dialogs.beside(`${title}: ${question}`, document, apply)) !== apply) return false;
    problems = await writeAll(deps, chat, { worktree, brought, by });
    const wroteNone = problems.length === changes.length;
    if (wroteNone && conflicts.length === 0) throw new Error([...problems, ...leftLines(left)].join('\n'));
    if (problems.length === 0) deps.noted?.(appliedState(brought));
  }
  if (left.length + problems.length > 0) await tellLeft(deps, chat, { worktree, brought, by, problems });
  return changes.length > problems.length;
}

/** What a worktree has that is new here; where nothing is, what was applied before, and was undone here. */
async function bringFor(worktree: string, { worktrees }: ApplyDeps): Promise<{ readonly brought: BroughtChanges; readonly again: boolean }> {
  const signal = AbortSignal.timeout(LOOK_MS);
  const brought = await worktrees.bring(worktree, signal);
  if (brought.changes.length + brought.conflicts.length > 0) return { brought, again: false };
  const undone = await worktrees.bring(worktree, signal, true);
  return undone.changes.length > 0 ? { brought: undone, again: true } : { brought, again: false };
}

function questionFor(files: number, again: boolean): string {
  if (again) return files === 1 ? t('Apply what you have undone of this change again?') : t('Apply what you have undone in {0} files again?', String(files));
  return files === 1 ? t('Apply this change to your files?') : t('Apply the changes in {0} files to your files?', String(files));
}

/** Says what was not taken over, and has the user merge what they can. */
async function tellLeft(
  deps: ApplyDeps,
  chat: AgentSession,
  { worktree, brought, by, problems }: Applied & { readonly brought: BroughtChanges; readonly problems: readonly string[] },
): Promise<void> {
  const { dialogs } = deps;
  const { left, conflicts } = brought;
  const words = [...problems, ...leftLines(left)].join(' ');
  const { merge } = dialogs;
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
  try {
    const now = await documents.read(path, AbortSignal.timeout(LOOK_MS));
    if (now.kind !== 'text' || now.hash !== before) return t('{0} has changed meanwhile. Apply the changes again to have them merged.', name);
  } catch {
    // What is wrong with it is known already.
  }
  return `${name}: ${problem}`;
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
