import { present } from '../../domain/present.js';
import * as vscode from 'vscode';
import { findFile } from '../../chat/code/find-file.js';
import { t } from '../../domain/l10n.js';
import { type FilePlace, parseFilePlace } from '../../protocol/file-place.js';
import { openInstruction, openLink } from '../links.js';
import { localFolders } from '../workspace/folders.js';
import { applyCode, type ApplyDeps } from './code/apply-code.js';
import { attachDropped, pickFiles } from './composer/attach-files.js';
import type { PageWindow } from '../../chat/ports.js';

/**
 * Puts code at the cursor of the active editor, or in place of what is selected there.
 * @throws Error with a message for the user when no editor accepts it.
 */
async function insertCode(code: string): Promise<void> {
  // The chat has the focus, so that the editor that was used last is meant.
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error(t('No editor is open. Open a file, place the cursor where you want the code, and try again.'));
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  if (!done) throw new Error(t('The editor rejected the code. It may be read-only.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** Filters paths that answers mention: keeps those that are files of the workspace. */
async function filesAmong(paths: readonly string[]): Promise<readonly string[]> {
  const folders = localFolders();
  const found = await Promise.all(paths.map(async (path) => ((await findFile(folders, parseFilePlace(path).path)) === undefined ? [] : [path])));
  return found.flat();
}

/**
 * Shows a file of the workspace in an editor, at the line that the path ends with.
 * @throws Error with a message for the user when there is no such file, or it lies outside of the workspace.
 */
async function openFile(written: string): Promise<void> {
  const place = parseFilePlace(written);
  const path = await findFile(localFolders(), place.path);
  if (path === undefined) throw new Error(t('{0} no longer exists in this workspace.', place.path));
  const selection = selectionOf(place);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true, ...present({ selection }) });
}

function selectionOf({ line, column = 1, endLine }: FilePlace): vscode.Range | undefined {
  if (line === undefined) return undefined;
  const start = new vscode.Position(line - 1, Math.max(0, column - 1));
  const end = endLine === undefined || endLine < line ? start : new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER);
  return new vscode.Range(start, end);
}

/** Gives pages the services of this VS Code window, such as opening files. */
export function pageWindow(deps: ApplyDeps): PageWindow {
  return {
    pickFiles,
    attachDropped,
    openLink,
    openInstruction,
    filesAmong,
    openFile,
    insertCode,
    copy: (text) => vscode.env.clipboard.writeText(text),
    applyCode: (code) => applyCode(code, deps),
  };
}
