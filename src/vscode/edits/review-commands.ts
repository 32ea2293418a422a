import * as vscode from 'vscode';
import { Queue } from '../../concurrency/queue.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { type ChangeAuthor, CHAT_AUTHOR } from '../../domain/workspace/change-author.js';
import { agentsIn, at, authorText, changedBy, type ChangePlace, type HunkName, type LineChange, named, within } from '../../edits/change-places.js';
import type { FileReview, HunkChoice, Refusal } from '../../edits/ledger-entry.js';
import type { Ledger } from '../../edits/ledger.js';
import type { ReviewCommand } from '../command-ids.js';
import { goToChange, goToFile, peek, reviewChanges, reviewedAuthor } from './navigate.js';
import { pathOf } from '../workspace/paths.js';
import type { RestoreFiles } from './restore-files.js';
import { listed } from '../../edits/restore-labels.js';
import { tellFailed } from '../dialogs/vscode-dialogs.js';

/** File and hunks that a review command applies to. */
interface Target {
  readonly path: string;
  readonly chosen: HunkChoice;
}

/** Carries out a command with the arguments that VS Code gives it. Never rejects: what goes wrong is said and logged. */
export type RunReviewCommand = (id: ReviewCommand, args: readonly unknown[]) => Promise<void>;

/** Handlers of the commands that keep, undo, and show pending edits, and undo restores; the manifest offers them while there are any. */
export function reviewCommands(ledger: Ledger, restore: Pick<RestoreFiles, 'redo'>, log: Log): RunReviewCommand {
  // These read or move the cursor. Pressed in quick succession, each begins where the one before it has led: "next, undo" undoes the next change.
  const steps = new Queue();
  const commands: Readonly<Record<ReviewCommand, (args: readonly unknown[]) => Promise<unknown>>> = {
    'gnomon.keepHunk': (args) => steps.run(() => onHunks(ledger, args, ({ path, chosen }) => ledger.keep(path, chosen))),
    'gnomon.undoHunk': (args) => steps.run(() => onHunks(ledger, args, async ({ path, chosen }) => tell(await ledger.undo(path, chosen)))),
    'gnomon.keepFileChanges': (args) => onFiles(args, (path) => ledger.keep(path)),
    'gnomon.undoFileChanges': (args) => onFiles(args, (path) => undoFiles(ledger, [path])),
    'gnomon.keepAllChanges': () => keepFiles(ledger, ...shownFiles(ledger)),
    'gnomon.undoAllChanges': () => undoFiles(ledger, ...shownFiles(ledger)),
    'gnomon.changesByAgent': ([agent]) => changesByAgent(ledger, agent),
    'gnomon.reviewChanges': () => reviewChanges(ledger.files()),
    'gnomon.nextChange': (args) => steps.run(() => goToChange(ledger.files(), 1, placeOf(args))),
    'gnomon.previousChange': () => steps.run(() => goToChange(ledger.files(), -1)),
    'gnomon.nextChangedFile': () => steps.run(() => goToFile(ledger.files())),
    'gnomon.showChangesHere': (args) => steps.run(() => showChangesHere(ledger, placeOf(args))),
    'gnomon.redoRestore': () => restore.redo(),
  };
  return (id, args) => logged(commands[id](args), log);
}

/** Opens the comparison within the active editor: at the change of a lens or under the cursor, else at the next one. */
async function showChangesHere(ledger: Ledger, place: ChangePlace | undefined): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const path = editor === undefined ? '' : pathOf(editor.document.uri);
  await ledger.refresh(path);
  const hunks = ledger.files().find((file) => file.path === path)?.hunks ?? [];
  if (editor !== undefined && hunks.length > 0) await peek(editor, hunks, place?.path === path ? place.line : undefined);
  else void vscode.window.showInformationMessage(t('There are no pending edits here.'));
}

/** What all is about: the changes of one agent where the user looks at these, else those of all. */
function shownFiles(ledger: Ledger): readonly [paths: readonly string[], author: string | undefined] {
  const author = reviewedAuthor();
  return [changedBy(ledger.files(), author).map(({ path }) => path), author];
}

/** Has the user choose an agent that has changed something, and what is to become of that. @param agent its id, where it is known */
async function changesByAgent(ledger: Ledger, agent: unknown): Promise<void> {
  const agents = agentsIn(ledger.files());
  const filesOf = ({ id }: ChangeAuthor): readonly FileReview[] => changedBy(ledger.files(), id);
  const items = agents.map((author) => ({ label: author.name, description: filesText(filesOf(author).length), author }));
  const known = agents.find(({ id }) => id === agent);
  const author = known ?? (await vscode.window.showQuickPick(items, { title: t('Changes by Agent'), placeHolder: t('Select an agent') }))?.author;
  if (author === undefined) return;
  const paths = filesOf(author).map(({ path }) => path);
  const acts = [
    { label: `$(diff-multiple) ${t('Review Changes')}`, act: () => reviewChanges(filesOf(author), author) },
    { label: `$(check) ${t('Keep All of {0}', author.name)}`, act: () => keepFiles(ledger, paths, author.id) },
    { label: `$(discard) ${t('Undo All of {0}', author.name)}`, act: () => undoFiles(ledger, paths, author.id) },
  ];
  await (await vscode.window.showQuickPick(acts, { title: author.name, placeHolder: t('Select what to do with its changes') }))?.act();
}

function filesText(count: number): string {
  return count === 1 ? t('1 file') : t('{0} files', count);
}

/** Keeps the pending edits of some files. @param author whose; absent: all */
export async function keepFiles(ledger: Ledger, paths: readonly string[], author?: string): Promise<void> {
  for (const path of paths) await ledger.keep(path, author === undefined ? 'all' : { author });
}

/**
 * Undoes the pending edits of some files, with those that they have changed places with; of several after a question.
 * @param author whose edits; absent: all
 */
export async function undoFiles(ledger: Ledger, chosen: readonly string[], author?: string): Promise<void> {
  const paths = author === undefined ? ledger.together(chosen) : chosen;
  if (paths.length > 1) {
    const known = author === CHAT_AUTHOR.id ? CHAT_AUTHOR : agentsIn(ledger.files()).find(({ id }) => id === author);
    const question =
      known === undefined
        ? t('Undo all pending edits in {0} files?', paths.length)
        : t('Undo all pending edits of {0} in {1} files?', authorText(known), paths.length);
    const about = t('Edits by Gnomon that you have not kept will be undone. Your own edits are not affected.');
    const more = paths.filter((path) => !chosen.includes(path)).map((path) => vscode.workspace.asRelativePath(path));
    const detail =
      more.length === 0 ? about : `${t('Some of the files have changed places with others, so these are undone as well: {0}', listed(more))}\n\n${about}`;
    const undoAll = t('Undo All');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, undoAll)) !== undoAll) return;
  }
  tell(await ledger.undoAll(paths, author === undefined ? 'all' : { author }));
}

/** Says what could not be undone. */
function tell(refused: readonly Refusal[]): void {
  if (refused.length === 0) return;
  const lines = refused.map(({ path, why }) => `${vscode.workspace.asRelativePath(path)}: ${why}`);
  void vscode.window.showWarningMessage(t('Some edits could not be undone. {0}', listed(lines)));
}

async function onHunks(ledger: Ledger, args: readonly unknown[], act: (target: Target) => Promise<void>): Promise<void> {
  const target = targetOf(args);
  if (target === undefined) return;
  await ledger.refresh(target.path);
  const file = ledger.files().find(({ path }) => path === target.path);
  if (file?.hunks.some(target.chosen) === true) return act(target);
  void vscode.window.showInformationMessage(t('There are no pending edits here.'));
}

/** Where a lens stands that was pressed. */
function placeOf([uri, name]: readonly unknown[]): ChangePlace | undefined {
  return uri instanceof vscode.Uri && isHunkName(name) ? { path: pathOf(uri), line: name.line } : undefined;
}

/** From the quick diff: document, changes and which; from a lens: document and name; else the cursor. */
function targetOf([uri, second, third]: readonly unknown[]): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!(uri instanceof vscode.Uri)) {
    return editor === undefined ? undefined : { path: pathOf(editor.document.uri), chosen: at(editor.selection.active.line) };
  }
  const path = pathOf(uri);
  if (Array.isArray(second)) {
    const change = (second as readonly unknown[])[typeof third === 'number' ? third : -1];
    return isLineChange(change) ? { path, chosen: within(change) } : undefined;
  }
  return isHunkName(second) ? { path, chosen: named(second) } : undefined;
}

function isLineChange(value: unknown): value is LineChange {
  return hasNumbers(value, ['originalStartLineNumber', 'originalEndLineNumber', 'modifiedStartLineNumber', 'modifiedEndLineNumber']);
}

function isHunkName(value: unknown): value is HunkName {
  return hasNumbers(value, ['line', 'count', 'baselineLine', 'removed']);
}

function hasNumbers(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => typeof (value as Record<string, unknown>)[name] === 'number');
}

/** Files chosen in the source control view, that of the editor whose button was pressed, or the active one. */
async function onFiles(args: readonly unknown[], act: (path: string) => Promise<unknown>): Promise<void> {
  const chosen = args.flatMap((arg) => {
    if (arg instanceof vscode.Uri) return [arg];
    return typeof arg === 'object' && arg !== null && 'resourceUri' in arg && arg.resourceUri instanceof vscode.Uri ? [arg.resourceUri] : [];
  });
  const active = vscode.window.activeTextEditor?.document.uri;
  const uris = chosen.length === 0 && active !== undefined ? [active] : chosen;
  for (const uri of uris) await act(pathOf(uri));
}

async function logged(work: Promise<unknown>, log: Log): Promise<void> {
  try {
    await work;
  } catch (error) {
    log.error('A change could not be kept or undone', error);
    tellFailed(t('The command failed. See the log for details.'));
  }
}
