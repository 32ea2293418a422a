import * as vscode from 'vscode';
import type { GitRepository } from './git-extension.js';
import type { TextBox } from './input-stream.js';

/** Scheme of the documents behind the boxes of the Source Control view. */
const SCHEME = 'vscode-scm';

/**
 * The box for the message of a repository's next commit. Where VS Code has it as a document, a text is written as an edit of
 * that: the edit is refused when the person has typed what did not reach the extension host yet. Otherwise, before the view
 * was ever shown, nobody can have typed.
 */
export class CommitBox implements TextBox {
  private readonly repository: GitRepository;

  constructor(repository: GitRepository) {
    this.repository = repository;
  }

  get value(): string {
    return this.document()?.getText().replaceAll('\r\n', '\n') ?? this.repository.inputBox.value;
  }

  async replace(text: string): Promise<boolean> {
    const document = this.document();
    if (document === undefined) {
      this.repository.inputBox.value = text;
      return true;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    return vscode.workspace.applyEdit(edit);
  }

  private document(): vscode.TextDocument | undefined {
    const root = this.repository.rootUri.toString();
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.scheme === SCHEME && new URLSearchParams(uri.query).get('rootUri') === root);
  }
}
