import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { TextChange } from '../../../domain/workspace/documents.js';
import { type ChangedFiles, type ChangeRecorder, type FileSnapshot, versionOf } from '../../../domain/workspace/changes.js';
import { t } from '../../../domain/l10n.js';
import type { Plan } from '../../../domain/tool/tool.js';
import { realPathOf } from '../../../node/files/real-path.js';
import { skipReasonText } from '../../../edits/restore-labels.js';
import { findFile, placeForFile } from '../../../chat/code/find-file.js';
import { localFolders } from '../../workspace/folders.js';
import type { LineRange } from '../../../text/text-edit.js';
import type { CodeToApply } from '../../../chat/ports.js';
import { placeCode } from '../../../chat/code/place-code.js';
import { isWithin } from '../../../node/files/within.js';
import { basename } from 'node:path';
import { closeTabs } from '../../edits/proposals/proposal-files.js';

/** Permission bits of a new file. */
const NEW_MODE = 0o644;

/** Records applied code as a change that can be kept or undone. */
export interface ApplyDeps {
  readonly recorder: ChangeRecorder;
  readonly files: ChangedFiles;
}

/** Puts code of an answer into a file after the user saw the change. It can be kept or undone like any other. @throws Error with a message for the user */
export async function applyCode(code: CodeToApply, deps: ApplyDeps): Promise<void> {
  const path = code.path === undefined ? await askForFile() : await fileNamed(code.path);
  if (path === undefined) return;
  const snapshot = await deps.files.look(path);
  const before = await textOf(path, snapshot);
  const placed = placeCode(before, code.text, true);
  const name = vscode.workspace.asRelativePath(path);
  if (placed.text === before && snapshot.kind === 'file') {
    void vscode.window.showInformationMessage(t('{0} already contains this code.', name));
    return;
  }
  const question = questionOf(name, placed.lines, snapshot);
  if (await confirmChange({ path, before, after: placed.text, question })) await write({ code, path, snapshot, text: placed.text }, deps);
}

function questionOf(name: string, lines: LineRange | undefined, snapshot: FileSnapshot): string {
  if (snapshot.kind !== 'file') return t('Create {0} with this code?', name);
  if (lines === undefined) return t('Apply this code to {0}? It replaces the whole file.', name);
  return t('Apply this code to {0}? It replaces lines {1} to {2}.', name, lines.first, lines.last);
}

/** The real path of a file of the workspace, or of where it would be. */
async function fileNamed(written: string): Promise<string> {
  const folders = localFolders();
  const path = (await findFile(folders, written)) ?? (await placeForFile(folders, written));
  if (path === undefined) throw new Error(t('{0} is not in this workspace, so nothing was changed.', written));
  return realPathOf(path);
}

async function textOf(path: string, snapshot: FileSnapshot): Promise<string> {
  if (snapshot.kind === 'absent') return '';
  if (snapshot.kind === 'skipped') throw new Error(t('{0} cannot be changed from here: {1}.', path, skipReasonText(snapshot.reason)));
  const uri = vscode.Uri.file(path);
  const text = await vscode.workspace.decode(snapshot.bytes, { uri });
  if (Buffer.compare(await vscode.workspace.encode(text, { uri }), snapshot.bytes) === 0) return text;
  throw new Error(t('{0} is not text that VS Code can save without altering it, so nothing was changed.', path));
}

interface Wanted {
  readonly code: CodeToApply;
  readonly path: string;
  readonly snapshot: FileSnapshot;
  readonly text: string;
}

async function write({ code, path, snapshot, text }: Wanted, { recorder, files }: ApplyDeps): Promise<void> {
  const change: TextChange = snapshot.kind === 'file' ? { action: 'modify', path, baseHash: snapshot.hash, text } : { action: 'create', path, text };
  const plan: Plan = { tool: 'apply', subject: path, args: {}, accesses: [{ kind: 'write', target: path }], preview: { kind: 'none' }, changes: [change] };
  const bytes = await vscode.workspace.encode(text, { uri: vscode.Uri.file(path) });
  const { sessionId, messageIndex } = code;
  const record = await recorder.begin({ sessionId, messageIndex, callId: randomUUID(), plan });
  let failed = true;
  try {
    await files.put(path, versionOf(snapshot), { bytes, mode: snapshot.kind === 'file' ? snapshot.mode : NEW_MODE });
    failed = false;
  } finally {
    await record.end({ failed });
  }
  await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: true });
}

/** Asks for the file that code is to go into: one that is open, or any of the workspace. @returns its real path. */
async function askForFile(): Promise<string | undefined> {
  const open = openFiles().map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  const chosen = await vscode.window.showQuickPick([...open, { label: t('Choose File…'), uri: undefined }], {
    title: t('Apply Code to File'),
    placeHolder: t('Select a file in this workspace'),
  });
  if (chosen === undefined) return undefined;
  const uri = chosen.uri ?? (await chooseFile());
  if (uri === undefined) return undefined;
  const path = await realPathOf(uri.fsPath);
  const folders = await Promise.all(localFolders().map((folder) => realPathOf(folder.path)));
  if (!folders.some((folder) => isWithin(folder, path))) throw new Error(t('{0} is not in this workspace, so nothing was changed.', uri.fsPath));
  return path;
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title: t('Apply Code to File'), openLabel: t('Apply'), canSelectMany: false })) ?? [];
  return uri;
}

/** Files of the workspace that tabs show, the active one first. */
function openFiles(): readonly vscode.Uri[] {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = [...(active === undefined ? [] : [active]), ...tabs].flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const files = uris.filter((uri) => uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

/** The scheme of both sides of the comparison: the file as it is and as it would be. */
const SCHEME = 'gnomon-apply';

/** A change of a file that is only shown. */
interface ShownChange {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Confirmation question that describes the change. */
  readonly question: string;
}

/** Shows a change side by side and asks once. @returns whether it is to be made. */
async function confirmChange({ path, before, after, question }: ShownChange): Promise<boolean> {
  const authority = randomUUID();
  const { path: named } = vscode.Uri.file(path);
  const side = (query: 'before' | 'after'): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, authority, path: named, query });
  const texts = { before, after };
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => (uri.authority === authority ? texts[uri.query === 'after' ? 'after' : 'before'] : ''),
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', side('before'), side('after'), t('{0}: Code from Chat', basename(path)), { preview: true });
    const apply = t('Apply');
    return (await vscode.window.showInformationMessage(question, apply, t('Discard'))) === apply;
  } finally {
    await closeTabs((uri) => uri.scheme === SCHEME && uri.authority === authority);
    provider.dispose();
  }
}
