import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import { type FilePlace, parseFilePlace } from '../../../protocol/file-place.js';
import { localFolders } from '../../workspace/folders.js';
import { findFile } from '../../../chat/code/find-file.js';

/** Which of these paths, as answers write them, are files of the workspace. */
export async function filesAmong(paths: readonly string[]): Promise<readonly string[]> {
  const folders = localFolders();
  const found = await Promise.all(paths.map(async (path) => ((await findFile(folders, parseFilePlace(path).path)) === undefined ? [] : [path])));
  return found.flat();
}

/**
 * Shows a file of the workspace in an editor, at the line that the path ends with.
 * @throws Error with a message for the user when there is no such file, or it lies outside of the workspace.
 */
export async function openFile(written: string): Promise<void> {
  const place = parseFilePlace(written);
  const path = await findFile(localFolders(), place.path);
  if (path === undefined) throw new Error(t('{0} no longer exists in this workspace.', place.path));
  const selection = selectionOf(place);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: true, ...(selection === undefined ? {} : { selection }) });
}

function selectionOf({ line, column = 1, endLine }: FilePlace): vscode.Range | undefined {
  if (line === undefined) return undefined;
  const start = new vscode.Position(line - 1, Math.max(0, column - 1));
  const end = endLine === undefined || endLine < line ? start : new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER);
  return new vscode.Range(start, end);
}
