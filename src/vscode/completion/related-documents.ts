import * as vscode from 'vscode';
import type { RelatedDocument, Snippet } from '../../completion/snippets.js';
import type { RecentEdit } from '../../completion/recent-edits.js';
import { displayPath } from '../mentions/workspace-paths.js';

/** Open documents that are looked at. */
const MAX_DOCUMENTS = 6;
/** Lines of a document from which on it is not looked at. */
const MAX_LINES = 5_000;

/** Other documents that are open in the window and may help with one: those in view first, then those of its language. */
export function openBeside(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const visible = new Set(vscode.window.visibleTextEditors.map((editor) => editor.document));
  const tabs = new Set(vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.toString() : '')));
  const rank = (other: vscode.TextDocument): number => (visible.has(other) ? 0 : other.languageId === document.languageId ? 1 : 2);
  const others = vscode.workspace.textDocuments.filter((other) => other !== document && other.uri.scheme === 'file' && other.lineCount <= MAX_LINES && (visible.has(other) || tabs.has(other.uri.toString())));
  return others.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_DOCUMENTS);
}

/** A document as parts are looked for in it. */
export function relatedDocument(document: vscode.TextDocument): RelatedDocument {
  return { path: displayPath(document.uri), version: document.version, text: () => document.getText().replaceAll('\r\n', '\n') };
}

/** The lines of edits in some documents as they are now. */
export function editedLines(edits: readonly RecentEdit[], documents: readonly vscode.TextDocument[]): readonly Snippet[] {
  return edits.flatMap((edit) => {
    const document = documents.find(({ uri }) => uri.toString() === edit.document);
    if (document === undefined) return [];
    const end = Math.min(edit.end, document.lineCount);
    const lines = Array.from({ length: Math.max(0, end - edit.first) }, (_, index) => document.lineAt(edit.first + index).text);
    const text = lines.join('\n');
    return text.trim() === '' ? [] : [{ path: displayPath(document.uri), text }];
  });
}
