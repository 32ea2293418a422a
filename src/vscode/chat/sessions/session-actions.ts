import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import type { Dialogs } from '../../../domain/host/dialogs.js';
import type { SessionActions } from '../../../chat/pane/requests/session-handlers.js';
import type { StoredSessions } from '../../../chat/sessions/stored-sessions.js';

/** Bytes of a file that is imported at most. */
const MAX_IMPORT = 512 * 1024 * 1024;

/** Services that session actions use: the stored sessions, dialogs, and the tabs that show them. */
export interface ActionDeps {
  readonly desk: StoredSessions;
  readonly dialogs: Dialogs;
  readonly openInTab: (id: string) => void;
  /** Closes a conversation in every place. */
  readonly close: (id: string) => Promise<void>;
}

/** Creates the user's actions on stored conversations, which lists, menus, and commands share. */
export function createSessionActions({ desk, dialogs, openInTab, close }: ActionDeps): SessionActions {
  return {
    openInTab,
    remove: async (id) => {
      const title = await desk.titleOf(id);
      await close(id);
      await desk.trash(id);
      return title;
    },
    purge: async (id) => {
      const question = id === undefined ? t('Permanently delete all chats in the trash?') : t('Permanently delete this chat?');
      const remove = t('Delete');
      if ((await dialogs.modal(question, t('This cannot be undone.'), remove)) === remove) await desk.purge(id);
    },
    import: () => importFile(desk),
  };
}

async function importFile(desk: StoredSessions): Promise<string | undefined> {
  const [file] = (await vscode.window.showOpenDialog({ title: t('Import Chat'), openLabel: t('Import'), filters: { [t('Chats (JSON)')]: ['json'] } })) ?? [];
  if (file === undefined) return undefined;
  const name = basename(file.fsPath);
  if (file.scheme === 'file' && (await stat(file.fsPath)).size > MAX_IMPORT) throw new Error(t('{0} is larger than 512 MB and was not imported.', name));
  return desk.import(await vscode.workspace.fs.readFile(file), name);
}
