import * as vscode from 'vscode';
import { errorMessage } from '../../../domain/errors.js';
import { t } from '../../../domain/l10n.js';
import type { Attaching } from '../../../chat/ports.js';
import { checkImageSize } from '../../../chat/composer/attachments.js';

/** Names of files that are attached as images. Their content decides whether they can be. */
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
/** Files that one drop attaches. */
const MAX_FILES = 50;

/** Lets the user choose files. Images are read; of any other file the model gets the path. @returns what went wrong. */
export async function pickFiles(to: Attaching): Promise<readonly string[]> {
  const chosen = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach'), title: t('Attach to Message') });
  return addAll(chosen ?? [], to, () => Promise.resolve(true));
}

/**
 * Attaches files that a page names: they were dropped onto it, as far as it can be believed. So an image from outside of the
 * workspace is read only when the user says so. @returns what went wrong.
 */
export async function attachDropped(uris: readonly string[], to: Attaching, isInside: (path: string) => Promise<boolean>): Promise<readonly string[]> {
  const files = uris.slice(0, MAX_FILES).map(fileOf);
  const mayRead = async ({ fsPath }: vscode.Uri): Promise<boolean> => (await isInside(fsPath)) || confirm(fsPath);
  const problems = await addAll(
    files.filter((uri) => uri !== undefined),
    to,
    mayRead,
  );
  return files.includes(undefined) ? [...problems, t('Only files can be attached. To attach a web page, type @ followed by its URL.')] : problems;
}

async function addAll(uris: readonly vscode.Uri[], to: Attaching, allowed: (uri: vscode.Uri) => Promise<boolean>): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const uri of uris) {
    try {
      await add(uri, to, allowed);
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  return problems;
}

async function add(uri: vscode.Uri, { attachments, imageScaler }: Attaching, allowed: (uri: vscode.Uri) => Promise<boolean>): Promise<void> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  const display = vscode.workspace.asRelativePath(uri);
  if (!IMAGE.test(uri.path) || (type & vscode.FileType.Directory) !== 0) {
    attachments.addPath(display);
    return;
  }
  checkImageSize(display, size);
  if (await allowed(uri)) await attachments.addImage(uri.path.slice(uri.path.lastIndexOf('/') + 1), await vscode.workspace.fs.readFile(uri), imageScaler);
}

/** The file of an address; a window that works elsewhere names the files there in its own way. */
function fileOf(address: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(address, true);
    if (uri.scheme === 'file') return uri.authority === '' ? uri : undefined;
    return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : undefined;
  } catch {
    // What was dropped is no address.
    return undefined;
  }
}

async function confirm(path: string): Promise<boolean> {
  const attach = t('Attach');
  return (await vscode.window.showWarningMessage(t('Attach an image from outside the workspace?'), { modal: true, detail: path }, attach)) === attach;
}
