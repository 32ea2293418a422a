import * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import { LEDGER_PLACE } from '../../edits/ledger-entry.js';
import type { Review } from '../edits/create-review.js';

/** Where this window keeps what belongs to its workspace. */
export function storageIn(context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): vscode.Uri {
  return context.storageUri ?? context.globalStorageUri;
}

/** Has the changes that pend from the last time shown without the rest of the extension; does nothing where there are none. Never rejects. */
export async function showPending(storage: vscode.Uri, review: () => Promise<Review>, log: Log): Promise<void> {
  try {
    if (await anyIn(storage)) await review();
  } catch (error) {
    log.error('The changes to review could not be shown', error);
  }
}

async function anyIn(storage: vscode.Uri): Promise<boolean> {
  const index = vscode.Uri.joinPath(storage, LEDGER_PLACE.folder, LEDGER_PLACE.index);
  const bytes = await vscode.workspace.fs.readFile(index).then((found) => found, () => undefined);
  return bytes !== undefined && !Buffer.from(bytes).toString('utf8').endsWith('"files":[]}');
}
