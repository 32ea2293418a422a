import * as os from 'node:os';
import * as vscode from 'vscode';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { PictureScaler } from '../../domain/workspace/picture.js';
import type { RuleBook } from '../../domain/tool/permission.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import { createReadGuard } from '../../permission/files/read-guard.js';
import type { MentionOffer } from '../../protocol/host/composer-messages.js';
import { createVsCodeDiagnostics } from '../language/diagnostics.js';
import { createVsCodeSymbols } from '../language/symbols.js';
import { createVsCodeDocuments } from '../workspace/vscode-documents.js';
import { openEditors, recentPaths, terminalSelection } from './editor-state.js';
import { mentionOffers } from './offers.js';
import type { MentionPorts } from './ports.js';
import { resolveMentions } from './resolve.js';
import { EditorSelection } from './selection.js';
import { displayPath, WorkspacePaths } from './workspace-paths.js';

/** Longest time that the mentions of a message are looked up, in milliseconds; git and language servers have limits of their own. */
const RESOLVE_MS = 30_000;

/** What mentions are made with. */
export interface MentionsOptions {
  readonly workspace: Workspace;
  readonly rules: RuleBook;
  readonly trusted: () => boolean;
  readonly pictures: PictureScaler;
}

/** The mentions of this window, and what is selected in its editor. */
export interface Mentions {
  readonly workspace: Workspace;
  readonly selection: EditorSelection;
  /** Makes what says, with the rules that hold now, which files may be shown to a model. */
  readonly readGuard: () => Promise<MayShow>;
  /** What goes with a text because it mentions it. @throws Error when that takes too long. */
  resolve(text: string): Promise<readonly UserContent[]>;
  /** What may stand behind an `@`. @throws AbortError when the signal is aborted. */
  offers(query: string, signal: AbortSignal): Promise<readonly MentionOffer[]>;
  dispose(): void;
}

/** Connects mentions with VS Code and this machine. */
export function createMentions({ workspace, rules, trusted, pictures }: MentionsOptions): Mentions {
  const documents = createVsCodeDocuments(createDiskDocuments(pictures));
  const permission = { workspace, rules, home: os.homedir(), caseInsensitive: process.platform !== 'linux' };
  const files = { workspace, documents, readGuard: () => createReadGuard(permission) };
  const diagnostics = createVsCodeDiagnostics();
  const symbols = createVsCodeSymbols(documents);
  const ports: MentionPorts = { ...files, symbols, diagnostics, trusted, editors: openEditors, terminal: terminalSelection };
  const paths = new WorkspacePaths();
  const selection = new EditorSelection(files);
  const display = (path: string): string => displayPath(vscode.Uri.file(path));
  return {
    workspace,
    selection,
    readGuard: files.readGuard,
    resolve: (text) => resolveInTime(text, ports),
    offers: (query, signal) => mentionOffers(query, { paths: (stop) => paths.paths(stop), symbols, recent: recentPaths, display }, signal),
    dispose: () => {
      for (const part of [paths, selection, diagnostics]) part.dispose();
    },
  };
}

async function resolveInTime(text: string, ports: MentionPorts): Promise<readonly UserContent[]> {
  const signal = AbortSignal.timeout(RESOLVE_MS);
  try {
    return await resolveMentions(text, ports, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(t('What the message mentions could not be looked up within {0} seconds. Take a mention out, or try again.', RESOLVE_MS / 1_000), { cause: error });
  }
}
