import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import { LEDGER_PLACE } from '../../edits/ledger-entry.js';
import type { Review } from '../edits/create-review.js';

/** Absolute path of the folder in which this window keeps what belongs to its workspace. */
export function storageIn(context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>): string {
  return (context.storageUri ?? context.globalStorageUri).fsPath;
}

/** Shows changes that are pending from the last session, without loading the rest of the extension, if there are any. Never rejects. */
export async function showPending(storage: string, review: () => Promise<Review>, log: Log): Promise<void> {
  try {
    if (await anyIn(storage)) await review();
  } catch (error) {
    log.error('The changes to review could not be shown', error);
  }
}

async function anyIn(storage: string): Promise<boolean> {
  const index = await readFile(join(storage, LEDGER_PLACE.folder, LEDGER_PLACE.index), 'utf8').catch(() => undefined);
  return index !== undefined && !index.endsWith('"files":[]}');
}
