import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { type MayShow, mayShowFile } from '../../domain/workspace/search.js';
import type { Showing } from '../../domain/workspace/showing.js';
import { git } from '../../node/process/git-command.js';

/** Says which documents a model may be shown while a user types. */
export class Exclusions {
  private readonly ignored = new GitIgnored();

  constructor(private readonly deps: Showing) {}

  /**
   * Those of some documents that may be shown: not in a workspace that is not trusted, not outside of the folders that are open,
   * not what a rule is about, what can contain passwords or keys, or what git ignores.
   */
  async shown(documents: readonly vscode.TextDocument[]): Promise<readonly vscode.TextDocument[]> {
    if (!this.deps.trusted()) return [];
    const mayShow = await this.deps.readGuard();
    const found: vscode.TextDocument[] = [];
    // One after the other: starting git keeps the extension host for some milliseconds, and many at once would be felt.
    for (const document of documents) if (await this.isShown(document, mayShow)) found.push(document);
    return found;
  }

  private async isShown(document: vscode.TextDocument, mayShow: MayShow): Promise<boolean> {
    if (!isSuggestedIn(document)) return false;
    if (document.uri.scheme === 'untitled') return true;
    const location = await this.deps.workspace.locate(document.uri.fsPath);
    if (!location.inside && this.deps.workspace.folders().length > 0) return false;
    return mayShowFile(location, mayShow) && !(await this.ignored.has(dirname(location.path), location.path));
  }
}

/** Milliseconds for which an answer of git is cached. */
const FRESH_MS = 30_000;
/** Answers that are kept. */
const CAPACITY = 200;

interface Known {
  readonly at: number;
  readonly ignored: Promise<boolean>;
}

/** Finds out which files git ignores: none without a repository or without git. */
class GitIgnored {
  private readonly known = new Map<string, Known>();

  /** Whether git ignores a file. @param folder that it lies in */
  async has(folder: string, path: string): Promise<boolean> {
    const known = this.known.get(path);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.ignored;
    const ignored = ask(folder, path);
    this.known.delete(path);
    this.known.set(path, { at: performance.now(), ignored });
    const [oldest] = this.known.keys();
    if (this.known.size > CAPACITY && oldest !== undefined) this.known.delete(oldest);
    return ignored;
  }
}

/** Runs `git check-ignore`. Tracked files are not ignored, whatever the rules say. */
async function ask(folder: string, path: string): Promise<boolean> {
  return git(folder, ['check-ignore', '--quiet', '--', path]).then(
    () => true,
    () => false,
  );
}

/** Schemes of documents in which there are suggestions: files, and what has not been saved yet. */
export const SUGGESTED_SCHEMES = ['file', 'untitled'] as const;

/** The largest document in which there are suggestions, in lines and in characters. */
const MAX_LINES = 50_000;
const MAX_CHARACTERS = 2_000_000;

/** Whether there can be suggestions in a document of this kind. */
export function isSuggestedIn({ uri }: vscode.TextDocument): boolean {
  return SUGGESTED_SCHEMES.some((scheme) => scheme === uri.scheme);
}

/** Whether a document is too large for suggestions. */
export function isTooLarge(document: vscode.TextDocument): boolean {
  if (document.lineCount > MAX_LINES) return true;
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > MAX_CHARACTERS;
}
