import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Conversation } from '../chat/conversation.js';
import type { Conversations } from '../chat/conversations.js';
import { noticeOfTurn } from '../chat/notices.js';
import type { InlineEdits } from '../inline/inline-edits.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { Showing } from '../permission/showing.js';
import { chooseRepository } from '../scm/choose-repository.js';
import type { ReviewOutcome } from './change-review.js';
import { ChangeReview } from './change-review.js';
import type { FindingCommand } from './command-ids.js';
import { fixFinding } from './fix-finding.js';
import { foundWords, outcomeWords } from './review-words.js';
import type { ShownFindings } from './shown-findings.js';
import { isGone } from './shown-findings.js';

/** Provider whose models are a script and find nothing of their own. */
const DEMO = 'demo';
/** Says that a review runs. */
const RUNNING = 'gnomon.reviewing';
/** Says that there is a review to be opened in the chat. */
const ANY = 'gnomon.hasReview';

/** What {@link ChangeReviews} works with. */
export interface ChangeReviewParts extends Showing {
  readonly conversations: Pick<Conversations, 'create' | 'leave' | 'release' | 'find'>;
  readonly models: Pick<ModelRegistry, 'choose'>;
  readonly inline: Pick<InlineEdits, 'change' | 'prepare'>;
  readonly findings: ShownFindings;
  /** Shows a conversation in the chat. */
  readonly openInChat: (id: string) => Promise<void>;
  /** Whether a conversation is shown in the chat. */
  readonly isShown: (conversation: Conversation) => boolean;
  readonly log: Log;
}

/** Something to press in a message, with what it does. */
type Way = readonly [title: string, act: () => unknown];

/** The reviews of changes in this window, what they found, and the commands about both. */
export class ChangeReviews {
  private readonly parts: ChangeReviewParts;
  /** By the folder of the repository. */
  private readonly running = new Map<string, ChangeReview>();
  /** The conversation of the last review. */
  private latest: string | undefined;

  constructor(parts: ChangeReviewParts) {
    this.parts = parts;
  }

  /** Whether a conversation is that of a review that runs: its progress is shown. */
  has(id: string): boolean {
    return [...this.running.values()].some(({ conversationId }) => conversationId === id);
  }

  /** Carries out a command, with the arguments that VS Code gives it. */
  async run(id: FindingCommand, [argument]: readonly unknown[]): Promise<void> {
    const { findings } = this.parts;
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
    const repository = await chooseRepository(target, this.parts.trusted(), t('The repository to review'));
    if (repository === undefined) return;
    const root = repository.rootUri.fsPath;
    const before = this.running.get(root);
    if (before !== undefined) this.tellRunning(before);
    else if ((await this.parts.models.choose(undefined)).model.provider === DEMO) askForKey();
    else await this.begin(new ChangeReview(root, this.parts));
  }

  private async begin(review: ChangeReview): Promise<void> {
    this.running.set(review.root, review);
    this.mark();
    try {
      const outcome = await showProgress(review);
      this.tell(review, outcome);
    } catch (error) {
      this.failed(review, error);
    } finally {
      this.running.delete(review.root);
      this.latest = review.conversationId ?? this.latest;
      this.mark();
    }
  }

  private async fix(argument: unknown): Promise<void> {
    const shown = this.parts.findings.find(argument);
    if (shown === undefined || shown.held) return;
    shown.held = true;
    let done = false;
    try {
      done = await fixFinding(shown, this.parts.inline);
    } finally {
      shown.held = false;
      this.parts.findings.remove((each) => each === shown && (done || isGone(shown)));
    }
  }

  private async openLatest(): Promise<void> {
    const id = [...this.running.values()].at(-1)?.conversationId ?? this.latest;
    if (id !== undefined) await this.open(id);
  }

  /** Shows the conversation of a review; when it has ended, with all tools again. */
  private async open(id: string): Promise<void> {
    const { conversations, openInChat } = this.parts;
    if (conversations.find(id)?.busy === false) await conversations.release(id);
    await openInChat(id);
  }

  private tell(review: ChangeReview, outcome: ReviewOutcome): void {
    if (outcome.type === 'nothing') {
      void vscode.window.showInformationMessage(outcome.why);
      return;
    }
    const { turn } = outcome;
    const { findings } = review;
    const words = outcomeWords(turn, findings);
    const ways: readonly Way[] = [
      ...(findings.length === 0 ? [] : [[t('Show Problems'), () => vscode.commands.executeCommand('workbench.actions.view.problems')] as const]),
      ...(noticeOfTurn(turn)?.actions.includes('set_api_key') === true ? [[t('Set API key'), () => vscode.commands.executeCommand('gnomon.setApiKey')] as const] : []),
      ...(turn.end === 'end_turn' || turn.end === 'aborted' ? [] : [[t('Review Again'), () => this.begin(new ChangeReview(review.root, this.parts))] as const]),
      [t('Open in Chat'), () => this.openOf(review)],
    ];
    offer(turn.end === 'end_turn' || turn.end === 'aborted' ? 'info' : 'warning', words, ways);
  }

  private async openOf({ conversationId }: ChangeReview): Promise<void> {
    if (conversationId !== undefined) await this.open(conversationId);
  }

  private tellRunning(review: ChangeReview): void {
    const words = t('These changes are being reviewed already. {0}', foundWords(review.findings));
    offer('info', words, [[t('Open in Chat'), () => this.openOf(review)], [t('Stop'), () => review.stop()]]);
  }

  private failed(review: ChangeReview, error: unknown): void {
    if (error instanceof Error && error.name === 'AbortError') return;
    this.parts.log.error('The changes could not be reviewed', error);
    const again: Way = [t('Review Again'), () => this.begin(new ChangeReview(review.root, this.parts))];
    offer('error', t('The changes could not be reviewed: {0}', errorMessage(error)), [again, [t('Show Log'), () => vscode.commands.executeCommand('gnomon.showLog')]]);
  }

  private mark(): void {
    void vscode.commands.executeCommand('setContext', RUNNING, this.running.size > 0);
    void vscode.commands.executeCommand('setContext', ANY, this.latest !== undefined || this.running.size > 0);
  }
}

/** Runs a review while a notification says how far it is, which can stop it. */
function showProgress(review: ChangeReview): Promise<ReviewOutcome> {
  const options = { location: vscode.ProgressLocation.Notification, title: t('Reviewing changes'), cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => review.stop());
      return review.run((message) => progress.report({ message }));
    }),
  );
}

/** Says something with ways to go on. Nobody waits for the answer. */
function offer(level: 'info' | 'warning' | 'error', words: string, ways: readonly Way[]): void {
  const show = { info: vscode.window.showInformationMessage, warning: vscode.window.showWarningMessage, error: vscode.window.showErrorMessage }[level];
  void show(words, ...ways.map(([title]) => title)).then((answer) => ways.find(([title]) => title === answer)?.[1]());
}

/** Says that the demo reviews nothing. */
function askForKey(): void {
  offer('info', t('The demo reviews nothing. Set the key of a provider, or choose another model.'), [[t('Set API key'), () => vscode.commands.executeCommand('gnomon.setApiKey')]]);
}
