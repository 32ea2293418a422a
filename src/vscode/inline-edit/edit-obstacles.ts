import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { mayShowFile } from '../../domain/workspace/search.js';
import { readRegularFile } from '../../node/files/regular-file.js';
import { checkFaithful } from '../workspace/buffer.js';
import type { Showing } from '../../domain/workspace/showing.js';

/** Permission bits: one of them at least is set when a file is writable. */
const WRITABLE = 0o222;

/** Why a document cannot be edited inline, with what the user can do; `undefined` when it can. */
export async function obstacleTo({ trusted, workspace, readGuard }: Showing, document: vscode.TextDocument): Promise<string | undefined> {
  if (!trusted()) return t('This workspace is not trusted, so Gnomon cannot edit files in it. Trust the workspace first.');
  if (document.isClosed) return t('The file was closed. Open it and try again.');
  if (document.isUntitled) return undefined;
  if (document.uri.scheme !== 'file') return t('Only files on disk can be edited inline. Save this file first.');
  const name = vscode.workspace.asRelativePath(document.uri);
  const location = await workspace.locate(document.uri.fsPath);
  if (!mayShowFile(location, await readGuard()))
    return t('{0} is excluded from models by a rule, or because it may contain passwords or keys. To edit it, add a rule that allows reading it.', name);
  return diskObstacle(document, name, location.real);
}

async function diskObstacle(document: vscode.TextDocument, name: string, real: string): Promise<string | undefined> {
  try {
    if (((await stat(real)).mode & WRITABLE) === 0) return t('{0} is read-only. Make it writable and try again.', name);
    await checkFaithful(name, document, (await readRegularFile(real, new AbortController().signal)).bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ToolInputError)
      return t(
        '{0} has mixed line endings, or its encoding differs from the one set in the editor, ' +
          'so saving would change more than the edit. Fix this in the status bar first.',
        name,
      );
    return t('{0} no longer exists on disk. Save it and try again.', name);
  }
}
