import * as vscode from 'vscode';
import type { TextFile } from '../../domain/workspace/documents.js';
import { ToolInputError } from '../../domain/errors.js';
import { sha256 } from '../../node/files/sha256.js';
import { lineEndingsOf, withLineEndings } from '../../text/line-endings.js';
import { untilShown } from './until-shown.js';

/** The text of an open document. Its hash is that of the bytes that saving it would write. */
export async function bufferFile(path: string, document: vscode.TextDocument): Promise<TextFile> {
  const text = document.getText();
  const bytes = await vscode.workspace.encode(text, { encoding: document.encoding });
  return { kind: 'text', path, text, hash: sha256(bytes), encoding: document.encoding, unsaved: document.isDirty };
}

/**
 * Checks that saving an open document writes the bytes of its file outside of what is edited.
 * @param bytes what is on disk.
 * @throws ToolInputError with what the user can do, when the editor would rewrite other lines.
 */
export async function checkFaithful(name: string, document: vscode.TextDocument, bytes: Uint8Array): Promise<void> {
  const encoding = { encoding: document.encoding };
  const decoded = await vscode.workspace.decode(bytes, encoding);
  if (!sameBytes(await vscode.workspace.encode(decoded, encoding), bytes)) {
    throw new ToolInputError(
      `${name} is open in the editor as ${document.encoding}, which it is not; saving would damage it. Nothing was changed. ` +
        'Ask the user to close it, or to reopen it with its encoding.',
    );
  }
  if (['mixed', '\r'].includes(lineEndingsOf(decoded))) {
    throw new ToolInputError(
      `${name} has mixed line endings and is open in the editor, which would rewrite all of them. Nothing was changed. ` +
        'Ask the user to close it, or to choose one line ending in the status bar and save.',
    );
  }
}

/** @throws ToolInputError when a text has other line endings than the document, which an editor does not support. */
export function checkEndings(name: string, document: vscode.TextDocument, text: string): void {
  const endings = lineEndingsOf(text);
  if (endings === 'none' || endings === endingOf(document)) return;
  throw new ToolInputError(
    `${name} is open in the editor, which gives all lines the same ending (${JSON.stringify(endingOf(document))}). Nothing was ` +
      'changed. Keep to that, or ask the user to close the file.',
  );
}

/**
 * Waits until a document without unsaved changes shows what is on disk.
 * @param bytes what is there.
 * @returns whether it does.
 * @throws the reason of `signal`, when the wait is stopped.
 */
export async function caughtUp(document: vscode.TextDocument, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const decoded = await vscode.workspace.decode(bytes, { encoding: document.encoding });
  const [wanted, endings] = [withLineEndings(decoded, '\n'), lineEndingsOf(decoded)];
  const hasEndings = (): boolean => endings === 'none' || endings === endingOf(document);
  const isShown = (): boolean => document.isDirty || (hasEndings() && withLineEndings(document.getText(), '\n') === wanted);
  return untilShown(isShown, vscode.workspace.onDidChangeTextDocument, signal);
}

function endingOf(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
