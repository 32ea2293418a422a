import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import type { ToolResultContent } from '../../domain/model/content.js';
import { textsForUser } from '../../domain/tool/model-notes.js';
import { type CallOutcome, statusOf } from '../../domain/tool/outcome.js';
import type { ViewToolCall } from '../../protocol/view-state.js';
import type { ShortPath } from './call-topic.js';
import { problemWords } from './failure-labels.js';

/** Result and outcome of a call. */
export interface CallResult {
  readonly content: readonly ToolResultContent[];
  readonly outcome: CallOutcome;
  readonly short: ShortPath;
}

/** Parts of a result for the user, beside its images. */
export type ResultView = Pick<ViewToolCall, 'output' | 'problem' | 'durationMs' | 'exitCode' | 'results' | 'moreResults' | 'created'>;

/**
 * Converts a result to text for the user: results are written for models, with advice on what to call next. The same for a call
 * that has just ended and one that is read from disk.
 */
export function resultView({ content, outcome, short }: CallResult): ResultView {
  const problem = problemWords(outcome, short);
  return { output: outputOf(content, outcome), ...present({ problem }), ...factsOf(outcome) };
}

function outputOf(content: readonly ToolResultContent[], outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return answerWords(outcome);
    case 'not_answered':
      return t('Skipped');
    case 'found_tools':
      return outcome.names.join('\n');
    default:
      return hasOutput(outcome) ? [...textsForUser(content, outcome), ...(outcome.more === true ? ['…'] : [])].join('\n') : '';
  }
}

/** Kinds of failures of which the result is what the tool, or the command, gave back, and not a sentence for the model. */
const WITH_OUTPUT: ReadonlySet<CallOutcome['kind']> = new Set(['failed', 'exited', 'killed', 'timed_out']);

function hasOutput(outcome: CallOutcome): boolean {
  if (outcome.kind === 'cancelled') return outcome.unstarted !== true;
  return WITH_OUTPUT.has(outcome.kind) || statusOf(outcome) === 'done';
}

/** The user's answer to a question, without the framing for the model. */
function answerWords({ chosen, wrote }: Extract<CallOutcome, { kind: 'answered' }>): string {
  const words = [chosen.join(', '), wrote ?? ''].filter((part) => part !== '').join('\n');
  return words === '' ? t('None of these') : words;
}

function factsOf(outcome: CallOutcome): Omit<ResultView, 'output' | 'problem'> {
  switch (outcome.kind) {
    case 'created':
      return { created: true };
    case 'found':
      return { results: outcome.count, ...(outcome.more === true ? { moreResults: true } : {}) };
    case 'found_tools':
      return { results: outcome.names.length };
    case 'ran':
    case 'exited':
      return { exitCode: outcome.exitCode, durationMs: outcome.durationMs };
    case 'killed':
    case 'cancelled':
      return outcome.durationMs === undefined ? {} : { durationMs: outcome.durationMs };
    default:
      return {};
  }
}
