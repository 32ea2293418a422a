import { type ChangeReviewDeps, ChangeReview } from './change-review.js';
import * as vscode from 'vscode';
import { isDemo } from '../../domain/demo.js';
import { t } from '../../domain/l10n.js';
import { chooseRepository } from '../scm/repositories.js';
import type { FindingCommand } from '../command-ids.js';
import { fixFinding } from './finding-actions.js';
import { isGone } from './shown-findings.js';
import { type ReviewWays, askForKey, showProgress, tellFailed, tellOutcome, tellRunning } from './tell-review.js';

/** Says that a review runs. */
const RUNNING = 'gnomon.reviewing';
/** Says that there is a review to be opened in the chat. */
const ANY = 'gnomon.hasReview';

/** The reviews of changes in this window, what they found, and the commands about both. */
export class ChangeReviews {
  /** By the folder of the repository. */
  private readonly running = new Map<string, ChangeReview>();
  /** The conversation of the last review. */
  private latest: string | undefined;

  constructor(private readonly deps: ChangeReviewDeps) {}

  /** Whether a conversation is that of a review that runs: its progress is shown. */
  has(id: string): boolean {
    return [...this.running.values()].some(({ conversationId }) => conversationId === id);
  }

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: FindingCommand, [argument]: readonly unknown[]): Promise<void> {
    const { findings } = this.deps;
    const commands: Readonly<Record<FindingCommand, () => unknown>> = {
      'gnomon.reviewGitChanges': () => this.review(argument),
      'gnomon.stopReview': () => this.stop(),
      'gnomon.fixFinding': () => this.fix(argument),
      'gnomon.dismissFinding': () => findings.remove((shown) => shown === findings.find(argument)),
      'gnomon.dismissAllFindings': () => findings.remove(() => true),
      'gnomon.openReviewInChat': () => this.openLatest(),
    };
    await commands[id]();
  }

  /** Ends all reviews; what they found stays. */
  stop(): void {
    for (const review of this.running.values()) review.stop();
  }

  private async review(target: unknown): Promise<void> {
    const repository = await chooseRepository(target, this.deps.trusted(), t('Select a repository to review'));
    if (repository === undefined) return;
    const root = repository.rootUri.fsPath;
    const { model } = await this.deps.models.choose(undefined);
    // Looked for behind the last wait, so that concurrent calls share one review.
    const before = this.running.get(root);
    if (before !== undefined) tellRunning(before.findings, this.waysOf(before));
    else if (isDemo(model)) askForKey(this.deps.log);
    else await this.begin(new ChangeReview(root, this.deps));
  }

  private async begin(review: ChangeReview): Promise<void> {
    this.running.set(review.root, review);
    this.mark();
    try {
      const outcome = await showProgress(review);
      tellOutcome(outcome, review.findings, this.waysOf(review));
    } catch (error) {
      this.failed(review, error);
    } finally {
      this.running.delete(review.root);
      this.latest = review.conversationId ?? this.latest;
      this.mark();
    }
  }

  private async fix(argument: unknown): Promise<void> {
    const shown = this.deps.findings.find(argument);
    if (shown === undefined || shown.held) return;
    shown.held = true;
    let done = false;
    try {
      done = await fixFinding(shown, this.deps.inline);
    } finally {
      shown.held = false;
      this.deps.findings.remove((each) => each === shown && (done || isGone(shown)));
    }
  }

  private async openLatest(): Promise<void> {
    const id = [...this.running.values()].at(-1)?.conversationId ?? this.latest;
    if (id !== undefined) await this.open(id);
  }

  /** Shows the conversation of a review; when it has ended, with all tools again. */
  private async open(id: string): Promise<void> {
    const { conversations, openInChat } = this.deps;
    if (conversations.find(id)?.busy === false) await conversations.release(id);
    await openInChat(id);
  }

  private waysOf(review: ChangeReview): ReviewWays {
    return {
      again: () => this.begin(new ChangeReview(review.root, this.deps)),
      open: () => (review.conversationId === undefined ? undefined : this.open(review.conversationId)),
      stop: () => review.stop(),
      log: this.deps.log,
    };
  }

  private failed(review: ChangeReview, error: unknown): void {
    if (error instanceof Error && error.name === 'AbortError') return;
    this.deps.log.error('The changes could not be reviewed', error);
    tellFailed(error, this.waysOf(review));
  }

  private mark(): void {
    void vscode.commands.executeCommand('setContext', RUNNING, this.running.size > 0);
    void vscode.commands.executeCommand('setContext', ANY, this.latest !== undefined || this.running.size > 0);
  }
}
