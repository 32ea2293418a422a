import { t } from '../../domain/l10n.js';
import type { ToolResultContent } from '../../domain/model/content.js';
import type { ViewCallStatus, ViewToolCall } from '../../protocol/view-state.js';
import type { ShortPath } from './call-topic.js';
import { FAILING_AGAIN, notExecuted, SAME_AGAIN } from '../../engine/turn/outcome.js';
import { ARGUMENT_NOTE } from '../../tool/calls/define.js';
import { namesFound } from '../../domain/tool/tool.js';
import { FIND_TOOLS } from '../../mcp/tools/meta-tools.js';
import { failureWords, notRunWords } from './failure-words.js';

/** What a result is that a call gave back. */
export interface CallResult {
  readonly name: string;
  readonly status: ViewCallStatus;
  readonly content: readonly ToolResultContent[];
  readonly short: ShortPath;
}

/** What a result says to the user, beside its pictures. */
export type ResultView = Pick<ViewToolCall, 'output' | 'problem' | 'durationMs' | 'exitCode' | 'results' | 'moreResults' | 'created'>;

/** Texts that the engine puts before what a tool gave back, for the model. */
const CHANGED_BY_USER = 'The user changed this call before allowing it.';
const CANCELLED_BY_USER = ['Cancelled by the user.', notExecuted('aborted')];
const DENIED_BY_USER = /^The user denied this call; nothing was done\.(?: They said: ([^]*))?$/;
/** How a command ended, as the last line of its report says it to the model. */
const ENDING = /^\[(?:exit code (\d{1,10})|stopped on request|killed by ([^\]]{1,40})) after ([\d.]{1,12}) s(?: in [^]*)?\]$/;
const TIME_LIMIT = /^\[time limit of ([\d.]{1,12}) s reached;/;
/** Notes about background jobs, which follow it. */
const JOB_NOTE = /^\[job-\d+ /;
/** Notes that only help a model. */
const ADVICE = /^\[(?:It ran in a sandbox: it could |What was still running in the background was ended )/;
const PARTIAL = /^\[PARTIAL: /;
/** What `fetch` puts around a page, so that a model takes it for data. */
const WEB_PAGE = /^[^\n]*\n<web_page>\n([^]*)\n<\/web_page>(?:\n\[PARTIAL: [^\n]*)?$/;
/** What `web_search` puts around pages, the beginning of each in it, and its address. */
const WEB_SEARCH = /^[^\n]*\n<web_search>\n([^]*)\n<\/web_search>$/;
const HIT = /^\[\d+\] [^\n]*\nhttps?:/gm;
/** Tools of which a failed result is nothing but a sentence for the model. */
const FAIL_IN_WORDS: ReadonlySet<string> = new Set([
  'read',
  'write',
  'edit',
  'apply_patch',
  'grep',
  'glob',
  'list',
  'symbols',
  'diagnostics',
  'todo',
  'ask',
  'jobs',
  'fetch',
  'web_search',
  'skill',
]);

/**
 * What a call gave back, in words for the user: results are written for models, with advice on what to call next. The same for a call
 * that has just ended and one that is read from disk, where the result for the model is all that there is.
 */
export function resultView({ name, status, content, short }: CallResult): ResultView {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const own = texts.filter(
    (text, index) =>
      !text.startsWith(CHANGED_BY_USER) &&
      !(index > 0 && text.startsWith(ARGUMENT_NOTE)) &&
      text !== FAILING_AGAIN &&
      text !== SAME_AGAIN &&
      !(status === 'cancelled' && saysCancelled(text)),
  );
  const text = own.join('\n');
  const notRun = status === 'failed' ? notRunWords(text) : undefined;
  if (notRun !== undefined) return { output: '', problem: notRun };
  if (status === 'denied') return { output: '', ...deniedWords(text) };
  if (name === 'bash') return commandView(text, status, short);
  if (status === 'failed' && FAIL_IN_WORDS.has(name) && !WEB_PAGE.test(text)) return { output: '', problem: failureWords(name, text, short) };
  if (status !== 'done') return { output: withoutNotes(text) };
  return doneView(name, text);
}

/** Whether a stored result says that the user stopped the call. */
export function isCancelled({ content, isError }: { readonly content: readonly ToolResultContent[]; readonly isError: boolean }): boolean {
  const [first] = content;
  return isError && first?.type === 'text' && saysCancelled(first.text);
}

function saysCancelled(text: string): boolean {
  return CANCELLED_BY_USER.some((words) => text.startsWith(words));
}

/** What the user gave as the reason of a denial, as the model was told; nothing for what was denied without them. */
function deniedWords(told: string): { readonly problem?: string } {
  const said = DENIED_BY_USER.exec(told);
  if (said === null) return {};
  return { problem: said[1] === undefined ? t('You denied it.') : t('You denied it: {0}', said[1]) };
}

function commandView(text: string, status: ViewCallStatus, short: ShortPath): ResultView {
  const lines = text.split('\n');
  const end = lines.findLastIndex((line) => !JOB_NOTE.test(line));
  const last = lines[end] ?? '';
  const ending = ENDING.exec(last);
  const limit = TIME_LIMIT.exec(last)?.[1];
  if (ending === null && limit === undefined) return { output: text, ...(status === 'failed' ? { problem: failureWords('bash', text, short) } : {}) };
  // The command's own output comes first, so that what looks like a note of ours above the notes is left alone.
  const output = lines.slice(0, end).filter((line, index) => !(index >= end - NOTE_LINES && ADVICE.test(line)));
  const [, code, signal, seconds] = ending ?? [];
  return {
    output: output.join('\n') === '(no output)' ? '' : output.join('\n'),
    ...(code === undefined ? {} : { exitCode: Number(code) }),
    ...(seconds === undefined ? {} : { durationMs: Math.round(Number(seconds) * 1_000) }),
    ...(signal === undefined ? {} : { problem: t('Ended by {0}.', signal) }),
    ...(limit === undefined ? {} : { problem: t('Stopped after {0} s, its time limit.', limit) }),
  };
}

/** Lines at the end of a command's report that can be notes. */
const NOTE_LINES = 4;

function doneView(name: string, text: string): ResultView {
  switch (name) {
    case 'ask':
      return { output: answerWords(text) };
    case 'fetch':
      return { output: WEB_PAGE.exec(text)?.[1] ?? text };
    case 'web_search':
      return searchView(WEB_SEARCH.exec(text)?.[1] ?? text);
    case FIND_TOOLS:
      return foundView(text);
    case 'write':
      return { output: text, ...(text.startsWith('Created ') ? { created: true } : {}) };
    case 'grep':
    case 'glob':
      return { output: withoutNotes(text), ...counted(name, text) };
    case 'read':
    case 'list':
      return { output: withoutNotes(text) };
    default:
      return { output: text };
  }
}

function searchView(pages: string): ResultView {
  return { output: pages, results: pages.match(HIT)?.length ?? 0 };
}

/** Definitions are for models; to the user, their names say what was found. */
function foundView(text: string): ResultView {
  const names = namesFound(text.split('\n')[0] ?? '');
  return { output: names.join('\n'), results: names.length };
}

/** What the user answered to a question, without the frame that it has for the model. */
function answerWords(text: string): string {
  if (text.startsWith('The user does not want to answer.')) return t('Skipped');
  if (text === 'The user chose none of them.') return t('None of these');
  const [, chosen, wrote] = /^(?:The user chose: ([^\n]*)\.)?\n?(?:The user wrote: ([^]*))?$/.exec(text) ?? [];
  const choices = chosen
    ?.split(/(?<=”), (?=“)/)
    .map((choice) => choice.slice(1, -1))
    .join(', ');
  const words = [choices, wrote].filter((part) => part !== undefined && part !== '').join('\n');
  return words === '' ? text : words;
}

/** Notes at the beginning and end of a result say how a model gets more; a mark says to the user that there is more. */
function withoutNotes(text: string): string {
  if (!text.includes('[PARTIAL: ')) return text;
  const lines = text.split('\n');
  const kept = lines.filter((line, index) => !(PARTIAL.test(line) && (index < 2 || index >= lines.length - 2)));
  return PARTIAL.test(lines.at(-1) ?? '') || PARTIAL.test(lines.at(-2) ?? '') ? [...kept, '…'].join('\n') : kept.join('\n');
}

/** How much a search found: matches where their lines are given, files where only names are. */
function counted(name: 'grep' | 'glob', text: string): Pick<ViewToolCall, 'results' | 'moreResults'> {
  if (/^No (?:matches|files match)/.test(text)) return { results: 0 };
  const lines = text.split('\n').filter((line) => !line.startsWith('['));
  const matches = name === 'grep' ? lines.filter((line) => /^\d+:/.test(line)).length : 0;
  return { results: matches === 0 ? lines.length : matches, ...(/\n\[PARTIAL: /.test(text) ? { moreResults: true } : {}) };
}
