import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import { isNotebookPath } from '../../../text/notebook/notebook.js';

/** The scheme of the right side of a proposal's diff: the proposed text of a file. The manifest names it too. */
export const PROPOSAL_SCHEME = 'gnomon-proposal';

/** Notice for the user of a proposal whose call is no longer pending. */
export function proposalIsOver(): string {
  return t('This proposed change is no longer active: it was allowed or denied, or its chat was closed. The content shown here is not saved anywhere.');
}

/** A proposal, as far as editors show it. */
export interface ProposalFile {
  /** The file as it is; empty for a new one. */
  readonly present: string;
  /** Proposed text, with the user's changes. */
  readonly text: string;
  /**
   * Takes over what the user saved.
   * @throws Error with a message for the user when that is not possible.
   */
  save(bytes: Uint8Array): Promise<void>;
}

/** The two sides of a comparison. */
export interface ProposalSides {
  readonly present: vscode.Uri;
  readonly proposed: vscode.Uri;
}

/** The documents of open proposals. It is there from the activation on, so that tabs of an earlier window get an answer. */
export class ProposalFiles implements vscode.FileSystemProvider, vscode.TextDocumentContentProvider {
  /** By the authority of their addresses, which no other window uses. */
  private readonly files = new Map<string, { readonly file: ProposalFile; version: number }>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly presentChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChangeFile = this.changed.event;
  readonly onDidChange = this.presentChanged.event;

  /** @param scheme of the addresses of proposals; that of the files as they are ends with `-present`. */
  constructor(private readonly scheme: string = PROPOSAL_SCHEME) {}

  /** Lets VS Code read and write them. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(this.scheme, this),
      vscode.workspace.registerTextDocumentContentProvider(`${this.scheme}-present`, this),
    );
  }

  /** Gives a proposal an address. @param path of the file that it is about */
  add(path: string, file: ProposalFile): ProposalSides {
    const authority = randomUUID();
    this.files.set(authority, { file, version: 1 });
    // VS Code would take a notebook apart itself; what is proposed is the text of its cells.
    const { path: named } = vscode.Uri.file(isNotebookPath(path) ? `${path}.txt` : path);
    const uri = vscode.Uri.from({ scheme: this.scheme, authority, path: named });
    return { proposed: uri, present: uri.with({ scheme: `${this.scheme}-present` }) };
  }

  /** Lets editors read both sides again. */
  refresh({ present, proposed }: ProposalSides): void {
    const entry = this.files.get(proposed.authority);
    if (entry !== undefined) entry.version += 1;
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: proposed }]);
    this.presentChanged.fire(present);
  }

  /** Forgets a proposal that is over. */
  remove({ proposed }: ProposalSides): void {
    this.files.delete(proposed.authority);
  }

  provideTextDocumentContent({ authority }: vscode.Uri): string {
    return this.files.get(authority)?.file.present ?? '';
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { file, version } = this.entry(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size: Buffer.byteLength(file.text) };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return Buffer.from(this.entry(uri).file.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const entry = this.entry(uri);
    try {
      await entry.file.save(content);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    entry.version += 1;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions(t('A proposed change is not a folder.'));
  }

  createDirectory(): never {
    return this.readDirectory();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions(t('A proposed change cannot be deleted. Deny it instead.'));
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions(t('A proposed change cannot be renamed.'));
  }

  private entry({ authority }: vscode.Uri): { readonly file: ProposalFile; version: number } {
    const entry = this.files.get(authority);
    if (entry === undefined) throw vscode.FileSystemError.Unavailable(proposalIsOver());
    return entry;
  }
}

/** The proposal that a tab shows, if any: alone or as the right side of a comparison. */
export function shownIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/**
 * Closes the tabs of some documents; those with unsaved text stay.
 * @returns whether one stayed.
 */
export async function closeTabs(isMeant: (uri: vscode.Uri) => boolean): Promise<boolean> {
  const meant = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => {
      const uri = shownIn(tab);
      return uri !== undefined && isMeant(uri);
    });
  const clean = meant.filter(({ isDirty }) => !isDirty);
  if (clean.length > 0) await vscode.window.tabGroups.close(clean, true);
  return clean.length < meant.length;
}
