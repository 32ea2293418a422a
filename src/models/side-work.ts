import { assertNever } from '../domain/assert-never.js';
import { t } from '../domain/l10n.js';
import type { SideWork } from '../domain/model/router.js';
import type { TaskKind } from '../domain/model/task-kind.js';

/** What is known of a kind of work beside the messages of chats before a model is asked for it. */
export interface SideWorkFacts {
  /** The kind of task that it counts as. */
  readonly kind: TaskKind;
  /** Tokens that are usually sent. */
  readonly inputTokens: number;
  /** Tokens that are usually written, which are also kept free for the answer. */
  readonly outputTokens: number;
  /** What one costs beside its tokens, in US dollars: the user’s time for one that is bad, at 30 dollars for an hour, as in `ATTEMPT_USD`. */
  readonly attemptUsd: number;
}

/** The facts of each; the reasons are in docs/routing.md. */
export const SIDE_WORK: Readonly<Record<SideWork, SideWorkFacts>> = {
  // A glance.
  title: { kind: 'boilerplate', inputTokens: 700, outputTokens: 20, attemptUsd: 0.001 },
  // What it leaves out is missing in all that follows, so that it costs as much as a whole attempt.
  summary: { kind: 'explain', inputTokens: 100_000, outputTokens: 4_000, attemptUsd: 0.25 },
  // Half a second, and many of them.
  suggestion: { kind: 'generation', inputTokens: 2_000, outputTokens: 100, attemptUsd: 0.004 },
  // Some seconds of reading.
  commitMessage: { kind: 'explain', inputTokens: 4_000, outputTokens: 200, attemptUsd: 0.04 },
  names: { kind: 'boilerplate', inputTokens: 1_500, outputTokens: 50, attemptUsd: 0.02 },
  // Everything that the agent does follows it.
  agentPrompt: { kind: 'planning', inputTokens: 1_000, outputTokens: 1_000, attemptUsd: 0.25 },
};

/** Says that a model was chosen for some work. */
export function chosenFor(work: SideWork): string {
  return t('Auto chose this model for {0}.', nameOf(work));
}

/** Says that none was. @param why in a sentence; absent: none is good enough */
export function noneFor(work: SideWork, why?: string): string {
  return why === undefined
    ? t('Auto found no model that is good enough for {0}, so the usual one is asked.', nameOf(work))
    : t('Auto could not choose a model for {0}, so the usual one is asked: {1}', nameOf(work), why);
}

function nameOf(work: SideWork): string {
  switch (work) {
    case 'title':
      return t('a title');
    case 'summary':
      return t('a summary');
    case 'suggestion':
      return t('a suggestion');
    case 'commitMessage':
      return t('a commit message');
    case 'names':
      return t('names');
    case 'agentPrompt':
      return t('the instructions of an agent');
    default:
      return assertNever(work);
  }
}
