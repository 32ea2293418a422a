import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { formatBytes, t } from '../../domain/l10n.js';
import { decodeText } from '../../text/encoding.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import type { ChangeSet, FileChange, Side } from '../../worktree/change-set.js';

/** The scheme of files of a worktree as they were and as they are when its changes are shown. */
const SCHEME = 'gnomon-worktree';
/** Comparisons whose texts are kept; tabs of older ones have none when they are shown again. */
const MAX_KEPT = 3;

/** Shows what worktrees have changed, as texts that are only read: a file of its folder would have VS Code show the repository in it, too. */
class WorktreeChanges implements vscode.TextDocumentContentProvider {
  /** By the authority of their addresses. */
  private readonly kept = new Map<string, ReadonlyMap<string, Side>>();

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent({ authority, query, path }: vscode.Uri): string {
    const side = this.kept.get(authority)?.get(`${query}${path}`);
    return side === undefined ? '' : textOf(side);
  }

  async show(title: string, { files }: ChangeSet): Promise<void> {
    const authority = randomUUID();
    const sides = new Map<string, Side>();
    const uriOf = (path: string, side: Side, query: 'base' | 'now'): vscode.Uri | undefined => {
      if (side.kind === 'absent') return undefined;
      const uri = addressOf(path, authority, query);
      sides.set(`${query}${uri.path}`, side);
      return uri;
    };
    const rows = files.map(({ path, from = path, base, now }: FileChange) => [
      addressOf(path, authority, 'now'),
      uriOf(from, base, 'base'),
      uriOf(path, now, 'now'),
    ]);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(authority, sides);
    await vscode.commands.executeCommand('vscode.changes', title, rows);
  }
}

let shown: WorktreeChanges | undefined;

/** Shows all that a worktree has changed in one comparison. @param title of its tab */
export async function showWorktreeChanges(title: string, set: ChangeSet): Promise<void> {
  shown ??= new WorktreeChanges();
  await shown.show(title, set);
}

function addressOf(path: string, authority: string, query: 'base' | 'now'): vscode.Uri {
  // VS Code would take a notebook apart.
  return vscode.Uri.from({ scheme: SCHEME, authority, path: `/${isNotebookPath(path) ? `${path}.txt` : path}`, query });
}

const UNREAD: Readonly<Record<Extract<Side, { readonly kind: 'not_read' }>['why'], () => string>> = {
  too_large: () => t('This file is too large to be shown.'),
  too_many: () => t('This file is too large to be shown.'),
  filter_failed: () => t('A filter in your Git settings failed for this file.'),
  name: () => t('The name of this file is not in UTF-8.'),
};

function textOf(side: Side): string {
  switch (side.kind) {
    case 'file':
      return decodeText(side.bytes)?.text ?? t('This file is no text. Its size is {0}.', formatBytes(side.bytes.length));
    case 'link':
      return side.target;
    case 'submodule':
      return side.id;
    case 'not_read':
      return UNREAD[side.why]();
    default:
      return '';
  }
}
