import type { Log } from '../../domain/log.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import type { SessionShape } from '../../agent-host/session-factory.js';
import type { Conversations } from '../../chat/conversation/conversations.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Showing } from '../../domain/workspace/showing.js';
import type { ShownFindings } from './shown-findings.js';
import * as vscode from 'vscode';
import { ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Turn } from '../../engine/events.js';
import type { Finding } from '../../code-review/finding.js';
import { showName } from '../../text/show.js';
import { uriOf } from '../workspace/paths.js';
import { type ReviewFacts, reviewFacts, reviewMessage } from './review-facts.js';
import type { Gate } from '../../domain/tool/permission.js';
import type { Tool } from '../../domain/tool/tool.js';
import { createReportTool, type FindingDesk, REPORT_TOOL } from './report-tool.js';

/** Services of code reviews: a conversation for each review, its model, and where findings and fixes are shown. */
export interface ChangeReviewDeps extends Showing {
  readonly conversations: Pick<Conversations, 'create' | 'leave' | 'release' | 'find'>;
  readonly models: Pick<ModelRegistry, 'choose'>;
  readonly inline: Pick<InlineEdits, 'change'>;
  readonly findings: ShownFindings;
  /** Shows a conversation in the chat. */
  readonly openInChat: (id: string) => Promise<void>;
  /** Whether a conversation is shown in the chat. */
  readonly isShown: (conversation: Conversation) => boolean;
  readonly log: Log;
}

/** Result of a code review. */
export type ReviewOutcome =
  /** There was nothing to review; says why. */
  { readonly type: 'nothing'; readonly why: string } | { readonly type: 'reviewed'; readonly turn: Turn };

/** One review of the changes of a repository. */
export class ChangeReview {
  private readonly stopping = new AbortController();
  private readonly reported: Finding[] = [];
  private conversation: Conversation | undefined;

  constructor(
    readonly root: string,
    private readonly deps: ChangeReviewDeps,
  ) {}

  /** Findings so far. */
  get findings(): readonly Finding[] {
    return this.reported;
  }

  /** Id of the conversation, once there is one. */
  get conversationId(): string | undefined {
    return this.conversation?.id;
  }

  /** Ends it; what was found stays. */
  stop(): void {
    this.stopping.abort();
    this.conversation?.session.cancel();
  }

  /**
   * Reviews, and shows findings as they come.
   * @param told called with progress messages.
   * @throws Error when git fails or the conversation cannot begin.
   */
  async run(told: (words: string) => void): Promise<ReviewOutcome> {
    told(t('Reading changes…'));
    const facts = await reviewFacts(this.root, { ...this.deps, mayShow: await this.deps.readGuard(), signal: this.stopping.signal });
    const why = facts === undefined ? t('There are no changes to review.') : nothingIn(facts);
    if (facts === undefined || why !== undefined) return { type: 'nothing', why: why ?? '' };
    const conversation = await this.deps.conversations.create(this.shape(told));
    this.conversation = conversation;
    this.stopping.signal.throwIfAborted();
    this.deps.findings.remove(({ root }) => root === this.root);
    const { session } = conversation;
    const tellAsked = (): void => told(t('Asking {0}…', session.model.label));
    // Which one Auto chooses is known once it has.
    if (session.auto.choice.type === 'auto') session.onEvent(({ type }) => type === 'routed' && tellAsked());
    else tellAsked();
    try {
      return { type: 'reviewed', turn: await conversation.send(reviewMessage(facts)).turn };
    } finally {
      const left = this.deps.conversations.leave(conversation, () => this.deps.isShown(conversation));
      left.catch((error: unknown) => this.deps.log.error('The conversation of a review did not close', error));
    }
  }

  private shape(told: (words: string) => void): ReviewShape {
    const { workspace, readGuard, findings } = this.deps;
    return new ReviewShape({
      workspace,
      readGuard,
      lineCount,
      known: () => this.reported,
      report: (finding) => {
        this.reported.push(finding);
        findings.add(this.root, finding);
        told(this.reported.length === 1 ? t('1 finding so far') : t('{0} findings so far', this.reported.length));
      },
    });
  }
}

function nothingIn({ files, hidden }: ReviewFacts): string | undefined {
  if (files > 0) return undefined;
  return hidden === 1 ? t('The only changed file is excluded from models.') : t('All {0} changed files are excluded from models.', hidden);
}

/** Opening a file lets the user’s language servers look at it, too. */
async function lineCount(path: string): Promise<number> {
  try {
    return (await vscode.workspace.openTextDocument(uriOf(path))).lineCount;
  } catch {
    throw new ToolInputError(`${showName(path)} is no text file that is there. Report what concerns it at a line of another file.`);
  }
}

/** The tools that only read; beside them there is the one that reports. */
const READERS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'list', 'diagnostics', 'symbols']);

/** The shape of a conversation that reviews: it reads, and says what it found. */
class ReviewShape implements SessionShape {
  readonly kind = 'review';

  constructor(private readonly desk: FindingDesk) {}

  readonly tools = (all: readonly Tool[]): readonly Tool[] => [...all.filter(({ spec }) => READERS.has(spec.name)), createReportTool(this.desk)];

  /** A report touches nothing, so it passes in every mode; all else is judged as usual. */
  readonly gate = (base: Gate): Gate => ({
    judge: (request, signal) =>
      request.plan.tool === REPORT_TOOL ? Promise.resolve({ type: 'allow', reason: t('It only reports a finding.') }) : base.judge(request, signal),
    remember: (request, rules, scope) => base.remember(request, rules, scope),
    update: (request, updates) => base.update(request, updates),
  });
}
