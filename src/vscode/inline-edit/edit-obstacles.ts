import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { mayShowFile } from '../../domain/workspace/search.js';
import { readRegularFile } from '../../node/files/regular-file.js';
import { checkFaithful } from '../workspace/buffer.js';
import type { Showing } from '../permission/showing.js';

/** Permission bits: one of them at least is set when a file is writable. */
const WRITABLE = 0o222;

/** Why a document cannot be edited inline, with what the user can do; `undefined` when it can. */
export async function obstacleTo({ trusted, workspace, readGuard }: Showing, document: vscode.TextDocument): Promise<string | undefined> {
  if (!trusted()) return t('This workspace is not trusted, so Gnomon changes nothing in it. Trust it to edit here.');
  if (document.isClosed) return t('The file was closed. Open it and ask again.');
  if (document.isUntitled) return undefined;
  if (document.uri.scheme !== 'file') return t('Only files on the disk can be edited in place. Save this one first.');
  const name = vscode.workspace.asRelativePath(document.uri);
  const location = await workspace.locate(document.uri.fsPath);
  if (!mayShowFile(location, await readGuard())) return t('{0} is kept from models: a rule says so, or it can hold passwords or keys. A rule that allows reading it lifts that.', name);
  return diskObstacle(document, name, location.real);
}

async function diskObstacle(document: vscode.TextDocument, name: string, real: string): Promise<string | undefined> {
  try {
    if (((await stat(real)).mode & WRITABLE) === 0) return t('{0} is read-only. Make it writable and ask again.', name);
    await checkFaithful(name, document, (await readRegularFile(real, new AbortController().signal)).bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ToolInputError) return t('{0} has mixed line endings or another encoding than its editor takes it for: saving would change more than the edit. Set that right in the status bar first.', name);
    return t('{0} is not on the disk any more. Save it and ask again.', name);
  }
}
