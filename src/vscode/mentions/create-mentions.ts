import * as os from 'node:os';
import * as vscode from 'vscode';
import type { ImageScaler } from '../../domain/workspace/image.js';
import type { RuleBook } from '../../domain/tool/permission.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import type { ConnectedServers } from '../../mcp/connected-servers.js';
import { createReadGuard } from '../../permission/files/read-guard.js';
import type { FileSettings } from '../../customization/settings.js';
import { createVsCodeDiagnostics } from '../language/diagnostics.js';
import { createVsCodeSymbols } from '../language/symbols.js';
import { createVsCodeDocuments } from '../workspace/vscode-documents.js';
import { mentionOffers } from '../../mentions/typed-mentions.js';
import type { MentionDeps, Mentions, OpenEditor, TerminalSelection } from '../../mentions/mention-deps.js';
import { resolveMentions } from '../../mentions/resolve.js';
import { ResourceMentions } from '../../mentions/resource-mentions.js';
import { EditorSelection } from './selection.js';
import { displayPath, WorkspacePaths } from './workspace-paths.js';

/** Services that mentions use. */
export interface MentionsOptions {
  readonly workspace: Workspace;
  readonly rules: RuleBook;
  readonly trusted: () => boolean;
  readonly imageScaler: ImageScaler;
  readonly fileSettings: FileSettings;
  /** The MCP servers of the window. */
  readonly servers: ConnectedServers;
}

/** Connects mentions with VS Code and this machine. */
export function createMentions({ workspace, rules, trusted, imageScaler, fileSettings, servers }: MentionsOptions): Mentions {
  const documents = createVsCodeDocuments(createDiskDocuments(imageScaler));
  const permission = { workspace, rules, home: os.homedir(), caseInsensitive: process.platform !== 'linux' };
  const files = { workspace, documents, readGuard: () => createReadGuard(permission) };
  const diagnostics = createVsCodeDiagnostics();
  const symbols = createVsCodeSymbols();
  const resources = new ResourceMentions(servers, imageScaler);
  const deps: MentionDeps = { ...files, resources, symbols, diagnostics, trusted, editors: openEditors, terminal: terminalSelection };
  const paths = new WorkspacePaths();
  const selection = new EditorSelection(files, fileSettings);
  const display = (path: string): string => displayPath(vscode.Uri.file(path));
  return {
    workspace,
    selection,
    readGuard: files.readGuard,
    resources,
    resolve: (text, options) => resolveMentions(text, deps, options),
    offers: (query, signal) => mentionOffers(query, { paths: (stop) => paths.paths(stop), symbols, resources, recent: recentPaths, display }, signal),
    dispose: () => {
      for (const part of [paths, selection, diagnostics]) part.dispose();
    },
  };
}

/** Files of open tabs that are offered before anything is typed. */
const MAX_RECENT = 15;

/** Files that are open in tabs, as text or otherwise. */
function openEditors(): readonly OpenEditor[] {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const found = new Map<string, OpenEditor>();
  for (const { input, isDirty } of tabs) {
    const uri = uriOf(input);
    if (uri?.scheme === 'file') found.set(uri.toString(), { path: uri.fsPath, active: uri.toString() === active, unsaved: isDirty });
  }
  return [...found.values()];
}

/** Display paths of the files in tabs, the active one first. Those outside of the workspace are left out. */
function recentPaths(): readonly string[] {
  const sorted = [...openEditors()].sort((a, b) => Number(b.active) - Number(a.active));
  const uris = sorted.map(({ path }) => vscode.Uri.file(path)).filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  return uris.slice(0, MAX_RECENT).map(displayPath);
}

/**
 * The selected text in the active terminal; `undefined` for none. VS Code gives it only through the clipboard, so that the
 * text there is put back afterwards.
 */
async function terminalSelection(): Promise<TerminalSelection | undefined> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return undefined;
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const mark = `gnomon-${Math.random()}`;
  await clipboard.writeText(mark);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text === mark || text.trim() === '' ? undefined : { terminal: terminal.name, text };
  } finally {
    await clipboard.writeText(before);
  }
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff ? input.modified : undefined;
}
