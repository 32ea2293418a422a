import * as vscode from 'vscode';
import { isDemo } from '../../domain/demo.js';
import { AbortError, errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type CommitFacts, writeCommitMessage } from '../../engine/one-shot/write-commit-message.js';
import { modelForWork, type ModelTask } from '../../models/model-task.js';
import { type GitRepository, chooseRepository } from './repositories.js';
import type { ScmCommand } from '../command-ids.js';
import { commitFacts } from './commit-facts.js';
import { type TextBox, InputStream } from './input-stream.js';

/** Says that a message is being written. */
const WRITING = 'gnomon.writingCommitMessage';

/** Writes messages of commits into the boxes of the Source Control view. */
export class CommitMessages {
  /** Abort controllers of messages being written, by repository folder. */
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly deps: ModelTask) {}

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: ScmCommand, [target]: readonly unknown[]): Promise<void> {
    if (id === 'gnomon.stopCommitMessage') this.stop();
    else await this.generate(target);
  }

  /** Cancels all generation and restores the previous text of the boxes. */
  stop(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  private async generate(target: unknown): Promise<void> {
    const repository = await chooseRepository(target, this.deps.trusted(), t('Select a repository for the commit message'));
    const root = repository?.rootUri.fsPath ?? '';
    if (repository === undefined || this.running.has(root)) return;
    const controller = new AbortController();
    this.running.set(root, controller);
    await this.mark();
    try {
      const options = { location: vscode.ProgressLocation.SourceControl, title: t('Generating commit message…') };
      await vscode.window.withProgress(options, () => this.write(repository, controller));
    } catch (error) {
      if (!controller.signal.aborted) this.failed(error);
    } finally {
      this.running.delete(root);
      await this.mark();
    }
  }

  private async write(repository: GitRepository, controller: AbortController): Promise<void> {
    const { workspace, readGuard, clock, log } = this.deps;
    const chosen = await modelForWork('commitMessage', this.deps, controller.signal);
    if (isDemo(chosen.model)) {
      askForKey();
      return;
    }
    const box = new CommitBox(repository);
    const facts = await commitFacts(repository.rootUri.fsPath, box.value, { workspace, mayShow: await readGuard() });
    if (facts === undefined) {
      tell(t('Nothing has changed since the last commit.'));
      return;
    }
    const input = new InputStream(box, () => controller.abort());
    await this.stream(facts, input, { ...chosen, clock, log, signal: controller.signal, written: (message) => input.show(message) });
  }

  private async stream(facts: CommitFacts, input: InputStream, writer: Parameters<typeof writeCommitMessage>[1]): Promise<void> {
    try {
      await writeCommitMessage(facts, writer);
      await input.finish();
    } catch (error) {
      await input.undo();
      throw error;
    }
  }

  private failed(error: unknown): void {
    if (error instanceof AbortError) return;
    this.deps.log.error('No commit message was written', error);
    void vscode.window.showErrorMessage(t('Could not generate a commit message: {0}', errorMessage(error)));
  }

  private async mark(): Promise<void> {
    await vscode.commands.executeCommand('setContext', WRITING, this.running.size > 0);
  }
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}

/** Fire-and-forget: waiting for the answer would keep the progress shown. */
function askForKey(): void {
  const setKey = t('Set API Key');
  const words = t('The demo model cannot generate commit messages. Set an API key or choose another model.');
  void vscode.window
    .showInformationMessage(words, setKey)
    .then((answer) => (answer === setKey ? vscode.commands.executeCommand('gnomon.setApiKey') : undefined));
}

/** Scheme of the documents behind the boxes of the Source Control view. */
const SCHEME = 'vscode-scm';

/**
 * The box for the message of a repository's next commit. Where VS Code has it as a document, a text is written as an edit of
 * that: the edit is refused when the user has typed what did not reach the extension host yet. Otherwise, before the view
 * was ever shown, the user cannot have typed.
 */
class CommitBox implements TextBox {
  constructor(private readonly repository: GitRepository) {}

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
    return vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => !isClosed && uri.scheme === SCHEME && new URLSearchParams(uri.query).get('rootUri') === root,
    );
  }
}
