import { assertNever } from '../../domain/assert-never.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { denialWords } from '../../domain/tool/denial.js';
import { type CallOutcome, type Failure, type FileFailure, type SearchFailure, firstSentence } from '../../domain/tool/outcome.js';
import type { ShortPath } from './call-topic.js';

/**
 * Why a call did not do what it was to do, for the user: the only place with these sentences. `undefined` where there is nothing to say
 * beside the result, or the call did it.
 */
export function problemWords(outcome: CallOutcome, short: ShortPath): string | undefined {
  if ('file' in outcome) return fileWords(outcome, short(outcome.file));
  switch (outcome.kind) {
    case 'search_setup':
    case 'search_unsupported':
    case 'rate_limited':
    case 'no_pages':
      return searchWords(outcome);
    case 'denied':
      return outcome.denial.kind === 'told' ? outcome.denial.reason : denialWords(outcome.denial);
    case 'done':
    case 'created':
    case 'found':
    case 'found_tools':
    case 'answered':
    case 'not_answered':
    case 'ran':
    case 'cancelled':
      return undefined;
    default:
      return failureWords(outcome);
  }
}

function failureWords(failure: Exclude<Failure, FileFailure | SearchFailure>): string | undefined {
  switch (failure.kind) {
    case 'invalid_arguments':
      return t('The model made an invalid call.');
    case 'unknown_tool':
      return t('The model called a tool that does not exist.');
    case 'agent_lacks_tool':
      return t('The agent “{0}” does not have this tool.', failure.agent);
    case 'agent_limit':
      return failure.limit === 'agents'
        ? t('Not started: this chat has started {0} agents, the most that it may.', formatNumber(failure.started))
        : t('Not started: the agents of this chat have used what they may use together.');
    case 'rejected':
    case 'crashed':
      return failure.problem;
    // An unusable result is a bug of the tool, described by the text for the model.
    case 'unusable':
      return firstSentence(`The tool returned something that cannot be used: ${failure.problem}.`);
    case 'killed':
      return t('Ended by {0}.', failure.signal ?? 'a signal');
    case 'timed_out':
      return t('Stopped after {0} s, its time limit.', String(failure.limitMs / 1_000));
    case 'interrupted':
      return t('Interrupted before it finished.');
    case 'not_run':
      return notRunWords(failure.why);
    case 'unreadable_pdf':
      return pdfWords(failure.why);
    case 'failed':
    case 'exited':
      return undefined;
    default:
      return assertNever(failure);
  }
}

function fileWords(failure: FileFailure, file: string): string {
  switch (failure.kind) {
    case 'not_found':
      return t('File not found: {0}', file);
    case 'is_folder':
      return t('{0} is a folder.', file);
    case 'changed_meanwhile':
      return t('{0} has changed since Gnomon read it.', file);
    case 'not_read':
      return failure.why === 'partly' ? t('Gnomon must read all of {0} before changing it.', file) : t('Gnomon must read {0} before changing it.', file);
    case 'binary':
      return t('{0} is a binary file.', file);
    case 'not_text':
      return t('{0} is not a text file.', file);
    case 'too_large':
      return t('{0} is too large.', file);
    case 'read_only':
      return t('{0} is read-only.', file);
    case 'inaccessible':
      return t('The system denies access to {0}.', file);
    case 'text_left_out':
      return t('The model left out a part of {0}, so nothing was changed.', file);
    case 'text_not_found':
      return t('The text to replace is not in {0}.', file);
    case 'ambiguous':
      return failure.expected === undefined
        ? t('The text to replace occurs more than once in {0}.', file)
        : t('The text to replace does not occur in {0} as often as the model expects.', file);
    case 'unchanged':
      return t('{0} already has this text.', file);
    default:
      return assertNever(failure);
  }
}

/** Message for a failed web search, with a hint for the user about its settings. */
function searchWords(failure: SearchFailure): string {
  switch (failure.kind) {
    case 'search_setup':
      return setupWords(failure.wrong);
    case 'search_unsupported':
      return t(
        '{0} does not offer web search with this model or account. Choose another model, or another search in the setting gnomon.webSearch.provider.',
        failure.service,
      );
    case 'rate_limited':
      return t('{0} is rate limiting your requests. {1}', failure.service, t('Try again in a minute.'));
    case 'no_pages':
      return t('No pages were found.');
    default:
      return assertNever(failure);
  }
}

function setupWords(wrong: Extract<SearchFailure, { kind: 'search_setup' }>['wrong']): string {
  switch (wrong) {
    case 'no_json':
      return t('SearXNG does not return JSON. Add “json” to search.formats in its settings.yml, or correct the setting gnomon.webSearch.searxngUrl.');
    case 'no_server':
    case 'bad_server':
      return t('No valid SearXNG URL is set. Correct the setting gnomon.webSearch.searxngUrl.');
    case 'no_key':
      return t('No API key is set for Brave Search. Run “Gnomon: Set Brave Search API Key”.');
    case 'bad_key':
      return t('Brave Search rejected the API key. Run “Gnomon: Set Brave Search API Key” and enter a valid one.');
    default:
      return assertNever(wrong);
  }
}

function pdfWords(why: Extract<Failure, { kind: 'unreadable_pdf' }>['why']): string {
  switch (why) {
    case 'password':
      return t('The PDF document is protected with a password.');
    case 'broken':
    case 'ended':
      return t('The PDF document cannot be read.');
    case 'time':
    case 'memory':
      return t('The PDF document takes too long or too much memory to read.');
    default:
      return assertNever(why);
  }
}

function notRunWords(why: Extract<Failure, { kind: 'not_run' }>['why']): string {
  switch (why) {
    case 'length':
      return t('Not run: the response reached its length limit.');
    case 'error':
      return t('Not run: the response was cut off.');
    case 'no_stop':
      return t('Not run: the response ended before its tool calls.');
    default:
      return assertNever(why);
  }
}
