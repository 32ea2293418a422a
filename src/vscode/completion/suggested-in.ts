import type * as vscode from 'vscode';

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
