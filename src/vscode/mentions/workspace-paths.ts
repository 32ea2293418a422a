import * as vscode from 'vscode';
import { PathIndex } from '../../mentions/path-index.js';

/** The most files that are known by name. */
const MAX_FILES = 200_000;
/** Left out beside what the settings `files.exclude` and `search.exclude` name. */
const EXCLUDED = ['**/.git/**', '**/node_modules/**', '**/.hg/**', '**/.svn/**'];
/** Milliseconds for which a list counts although files came or went. */
const FRESH_MS = 2_000;

/** The files and folders of the workspace by name. They are listed when they are first asked for, and anew after changes. */
export class WorkspacePaths implements vscode.Disposable {
  private readonly watcher: vscode.Disposable;
  private index: PathIndex | undefined;
  private listing: Promise<PathIndex> | undefined;
  private stale = true;
  private listedAt = 0;

  constructor() {
    const changed = (): void => {
      this.stale = true;
    };
    const files = vscode.workspace.createFileSystemWatcher('**/*', false, true, false);
    this.watcher = vscode.Disposable.from(
      files,
      files.onDidCreate(changed),
      files.onDidDelete(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      vscode.workspace.onDidChangeConfiguration(changed),
    );
  }

  dispose(): void {
    this.watcher.dispose();
  }

  /** The index of paths. While it is rebuilt, the previous one is returned, so that only the first call waits. */
  async paths(signal: AbortSignal): Promise<PathIndex> {
    const old = this.index;
    if (old !== undefined && (!this.stale || performance.now() - this.listedAt < FRESH_MS)) return old;
    this.listing ??= this.list().finally(() => (this.listing = undefined));
    if (old === undefined) return this.listing.then((index) => (signal.throwIfAborted(), index));
    // It is asked for again at the next letter; a failure shows then.
    this.listing.catch(() => undefined);
    return old;
  }

  private async list(): Promise<PathIndex> {
    this.stale = false;
    try {
      const uris = await vscode.workspace.findFiles('**/*', excluded(), MAX_FILES);
      this.index = PathIndex.of(uris.filter(({ scheme }) => scheme === 'file').map(displayPath));
    } catch (error) {
      this.stale = true;
      throw error;
    }
    this.listedAt = performance.now();
    return this.index;
  }
}

/** Display path of a file: relative to its folder, with the folder's name where there are several. */
export function displayPath(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
}

function excluded(): string {
  const setting: unknown = vscode.workspace.getConfiguration('search').get('exclude');
  const own = typeof setting === 'object' && setting !== null ? Object.entries(setting).flatMap(([glob, on]) => (on === true ? [glob] : [])) : [];
  // A pattern with alternatives cannot be nested in another one.
  return `{${[...EXCLUDED, ...own.filter((glob) => !/[{},]/.test(glob))].join(',')}}`;
}
