import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { FileTexts } from '../../domain/host/dialogs.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';

/** The scheme of the texts of comparisons. */
const SCHEME = 'gnomon-compared';
/** Comparisons whose texts are kept; tabs of older ones have none when they are shown again. */
const MAX_KEPT = 3;

/** A side of a comparison. */
type Side = 'before' | 'after';

/** Comparisons of several files, as texts that are only read: for a file of a worktree, VS Code would show the repository in it, too. */
class Comparisons implements vscode.TextDocumentContentProvider {
  /** By the authority of their addresses. */
  private readonly kept = new Map<string, ReadonlyMap<string, string>>();

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent({ authority, query, path }: vscode.Uri): string {
    return this.kept.get(authority)?.get(`${query}${path}`) ?? '';
  }

  async show(title: string, files: readonly FileTexts[]): Promise<void> {
    const authority = randomUUID();
    const texts = new Map<string, string>();
    const uriOf = (path: string, text: string | undefined, side: Side): vscode.Uri | undefined => {
      if (text === undefined) return undefined;
      const uri = addressOf(path, authority, side);
      texts.set(`${side}${uri.path}`, text);
      return uri;
    };
    const rows = files.map(({ path, from = path, before, after }) => [
      addressOf(path, authority, 'after'),
      uriOf(from, before, 'before'),
      uriOf(path, after, 'after'),
    ]);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(authority, texts);
    await vscode.commands.executeCommand('vscode.changes', title, rows);
  }
}

let comparisons: Comparisons | undefined;

/** Shows files as they are and as they would be, all in one editor. @param title of its tab */
export async function showComparison(title: string, files: readonly FileTexts[]): Promise<void> {
  comparisons ??= new Comparisons();
  await comparisons.show(title, files);
}

function addressOf(path: string, authority: string, side: Side): vscode.Uri {
  // VS Code would take a notebook apart.
  return vscode.Uri.from({ scheme: SCHEME, authority, path: `/${isNotebookPath(path) ? `${path}.txt` : path}`, query: side });
}
