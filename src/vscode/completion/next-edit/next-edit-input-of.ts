import * as vscode from 'vscode';
import type { Edit } from '../../../completion/next-edit/edit-history.js';
import type { Finding, NextEditInput } from '../../../completion/next-edit/next-edit-input.js';
import { displayPath } from '../../mentions/workspace-paths.js';

/** Findings of a language server that go along. */
const MAX_FINDINGS = 8;

/** Where the person is, and what they did. */
export interface Moment {
  readonly document: vscode.TextDocument;
  readonly lines: readonly string[];
  /** Line of the cursor. */
  readonly cursor: number;
  readonly latest: Edit;
  /** The edits, the latest last, also those of other documents. */
  readonly edits: readonly Edit[];
}

/** What a model is told. @param shown the documents that it may be shown */
export function nextEditInputOf({ document, lines, cursor, latest, edits }: Moment, shown: readonly vscode.TextDocument[]): NextEditInput {
  const told = edits.flatMap(({ document: name, before, after }) => {
    const other = shown.find(({ uri }) => uri.toString() === name);
    return other === undefined ? [] : [{ path: pathOf(other), before, after }];
  });
  return { path: pathOf(document), language: document.languageId, lines, cursor, latest, edits: told, findings: findingsIn(document, cursor) };
}

/** How a model is told where a document lies. */
export function pathOf({ uri }: vscode.TextDocument): string {
  return uri.scheme === 'file' ? displayPath(uri) : uri.path;
}

/** Errors, those nearest to the cursor. */
function findingsIn({ uri, lineCount }: vscode.TextDocument, cursor: number): readonly Finding[] {
  const errors = vscode.languages.getDiagnostics(uri).filter(({ severity, range }) => severity === vscode.DiagnosticSeverity.Error && range.start.line < lineCount);
  const distance = ({ range }: vscode.Diagnostic): number => Math.abs(range.start.line - cursor);
  return errors.sort((a, b) => distance(a) - distance(b)).slice(0, MAX_FINDINGS).map(({ range, message }) => ({ line: range.start.line, text: message }));
}
