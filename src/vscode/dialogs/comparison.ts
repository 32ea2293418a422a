import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { FileTexts } from '../../domain/host/dialogs.js';
import { isNotebookPath } from '../../text/notebook/notebook.js';
import { showName } from '../../text/show.js';

/** The scheme of the texts of comparisons. */
const SCHEME = 'gnomon-compared';
/** Comparisons that nobody asks about whose texts are kept; tabs of older ones have none when they are shown again. */
const MAX_KEPT = 3;

/** A side of a comparison. */
type Side = 'before' | 'after';

/** A file of a comparison, as VS Code takes it: what its name leads to, and its two sides. */
type Row = readonly [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

/** Texts of comparisons of several files, which are only read: for a file of a worktree, VS Code would show the repository in it, too. */
class ComparedTexts implements vscode.TextDocumentContentProvider {
  /** By the authority of their addresses, and by their queries. */
  private readonly kept = new Map<string, ReadonlyMap<string, string>>();

  constructor() {
    // For the life of the extension host, as the module has it.
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent({ authority, query }: vscode.Uri): string {
    return this.kept.get(authority)?.get(query) ?? '';
  }

  /** @param id of the comparison */
  keep(id: string, files: readonly FileTexts[]): readonly Row[] {
    const texts = new Map<string, string>();
    const rows = files.map(({ path, from = path, before, after }, index): Row => {
      const uriOf = (name: string, text: string | undefined, side: Side): vscode.Uri | undefined => {
        if (text === undefined) return undefined;
        const uri = addressOf(name, id, `${side}-${index}`);
        texts.set(uri.query, text);
        return uri;
      };
      return [addressOf(path, id, `after-${index}`), uriOf(from, before, 'before'), uriOf(path, after, 'after')];
    });
    this.kept.set(id, texts);
    return rows;
  }

  drop(id: string): void {
    this.kept.delete(id);
  }
}

/** @param key what tells it from the others of the comparison: names that differ can look the same */
function addressOf(path: string, id: string, key: string): vscode.Uri {
  const name = showName(path);
  // VS Code would take a notebook apart.
  return vscode.Uri.from({ scheme: SCHEME, authority: id, path: `/${isNotebookPath(path) ? `${name}.txt` : name}`, query: key });
}

let texts: ComparedTexts | undefined;

/** Ids of the comparisons that nobody asks about, the oldest first. */
const passing: string[] = [];

/** Shows files as they are and as they would be, all in one editor. @param title of its tab */
export async function showComparison(title: string, files: readonly FileTexts[]): Promise<void> {
  const comparison = new Comparison(title, files);
  passing.push(comparison.id);
  for (const id of passing.splice(0, Math.max(0, passing.length - MAX_KEPT))) texts?.drop(id);
  await comparison.show();
}

/** Files as they are and as they would be, all in one editor. Its texts are kept until they are dropped. */
export class Comparison {
  readonly id = randomUUID();
  private readonly rows: readonly Row[];

  /** @param title of its tab */
  constructor(
    readonly title: string,
    files: readonly FileTexts[],
  ) {
    texts ??= new ComparedTexts();
    this.rows = texts.keep(this.id, files);
  }

  async show(): Promise<void> {
    await vscode.commands.executeCommand('vscode.changes', this.title, this.rows);
  }

  drop(): void {
    texts?.drop(this.id);
  }
}

/** What is known of the comparison in a tab: `undefined` for a tab with something else, no id where VS Code does not say what is in it. */
export function comparisonIn({ input }: vscode.Tab): { readonly id: string | undefined } | undefined {
  // The API has no type for it yet (proposal tabInputMultiDiff).
  if (typeof input !== 'object' || input === null || !('textDiffs' in input) || !Array.isArray(input.textDiffs)) return undefined;
  const diffs: readonly unknown[] = input.textDiffs;
  const [first] = diffs;
  // Files that have one side only are left out of it, and all are until VS Code has looked at them.
  if (first === undefined) return { id: undefined };
  return first instanceof vscode.TabInputTextDiff && first.modified.scheme === SCHEME ? { id: first.modified.authority } : undefined;
}
