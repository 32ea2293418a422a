import { present } from '../../domain/present.js';
import { notedText, type ResultLine } from '../../domain/tool/model-notes.js';
import { type CallOutcome, type Failure, firstSentence, type ResultMarks } from '../../domain/tool/outcome.js';

/** What was read of a result: its outcome, and the marks of its texts as one. */
export interface ReadText {
  readonly outcome: CallOutcome;
  readonly marks: ResultMarks;
}

/** How a command ended, as the last line of its report said it to the model. */
const ENDING = /^\[(?:exit code (\d{1,10})|stopped on request|killed by ([^\]]{1,40})) after ([\d.]{1,12}) s(?: in [^]*)?\]$/;
const TIME_LIMIT = /^\[time limit of ([\d.]{1,12}) s reached;/;
/** Notes about background jobs, which followed it. */
const JOB_NOTE = /^\[job-\d+ /;
/** Notes that only helped a model. */
const ADVICE = /^\[(?:It ran in a sandbox: it could |What was still running in the background was ended )/;
/** Lines before the end of a command's report that could be notes. */
const NOTE_LINES = 4;
const NO_OUTPUT = '(no output)';

/** A result of the tool `bash`. */
export function oldCommand(told: string, status: 'done' | 'failed' | 'cancelled'): ReadText {
  const lines = told.split('\n');
  const end = lines.findLastIndex((line) => !JOB_NOTE.test(line));
  const ended = endedAs(lines[end] ?? '', status);
  if (ended === undefined) return { outcome: withoutEnd(told, status), marks: {} };
  // The command's own output came first, so that what looks like a note of ours above the notes is left alone.
  const noted = lines.map((line, index): ResultLine => (index >= end || (index >= end - NOTE_LINES && ADVICE.test(line)) ? { note: line } : line));
  const output = noted.filter((line) => typeof line === 'string');
  const silent = output.length === 1 && output[0] === NO_OUTPUT;
  return { outcome: ended, marks: notedText(silent ? lines.map((note) => ({ note })) : noted).marks };
}

type Reading = readonly [pattern: RegExp, failure: (file: string, match: RegExpExecArray) => Failure];

/** The sentences of versions that stored nothing else of a failure. They never change: what is said today is data from the beginning. */
const SENTENCES: readonly Reading[] = [
  [/^(?:[^\n]*?: )?old_string was not found in (.+?); nothing was changed/, (file) => ({ kind: 'text_not_found', file })],
  [
    /^(?:[^\n]*?: )?old_string occurs (?:once|\d+ times) in (.+?), not (\S+) as expected_replacements says;/,
    (file, [, , expected]) => ({ kind: 'ambiguous', file, found: 0, expected: Number(expected) || 0 }),
  ],
  [
    /^(?:“[^]*” stands for text left out, and would be written to|Line \d+ of the content stands for text [^]*\.) (.+?) (?:as it is;|would lose it, so)/,
    (file) => ({ kind: 'text_left_out', file }),
  ],
  [/^(?:[^\n]*?: )?old_string occurs \d+ times in (.+?); nothing was changed/, (file) => ({ kind: 'ambiguous', file, found: 0 })],
  [/^The edit would change nothing in (.+?): /, (file) => ({ kind: 'unchanged', file, by: 'edit' })],
  [/^(.+?) has exactly this content already; /, (file) => ({ kind: 'unchanged', file, by: 'write' })],
  [/^(.+?) does not exist[.:]/, (file) => ({ kind: 'not_found', file })],
  [/^(.+?) is a folder(?:\.|, not a file)/, (file) => ({ kind: 'is_folder', file })],
  [/^(.+?) has changed (?:since it was read|meanwhile)/, (file) => ({ kind: 'changed_meanwhile', file, noticed: 'planning' })],
  [/^(.+?) exists and has not been read\./, (file) => ({ kind: 'not_read', file, why: 'exists' })],
  [/^(.+?) is outside the workspace and has not been read\./, (file) => ({ kind: 'not_read', file, why: 'outside' })],
  [/^Only a part of (.+?) has been read\./, (file) => ({ kind: 'not_read', file, why: 'partly' })],
  [/^The PDF document is protected with a password\./, () => ({ kind: 'unreadable_pdf', why: 'password' })],
  [/^The PDF document (?:is broken: |cannot be read: )/, () => ({ kind: 'unreadable_pdf', why: 'broken' })],
  [/^The PDF document takes /, () => ({ kind: 'unreadable_pdf', why: 'memory' })],
  [/^(.+?) is a binary file/, (file) => ({ kind: 'binary', file })],
  [/^(.+?) is not a text file/, (file) => ({ kind: 'not_text', file, wanted: 'edit' })],
  [/^(.+?) is too large/, (file) => ({ kind: 'too_large', file, wanted: 'read' })],
  [/^(.+?) is read-only;/, (file) => ({ kind: 'read_only', file })],
  [/^(.+?) may not be (?:accessed|changed): /, (file) => ({ kind: 'inaccessible', file, wanted: 'access' })],
  [/^The arguments of (\S+) do not fit/, (tool) => ({ kind: 'invalid_arguments', tool, wrong: 'schema' })],
  [/^The arguments of (\S+) cannot be read/, (tool) => ({ kind: 'invalid_arguments', tool, wrong: 'json' })],
  [/^The agent “([^]+?)” does not have this tool\./, (agent) => ({ kind: 'agent_lacks_tool', agent })],
  [/^There is no tool named (?:“([^]*?)”)?/, (tool) => ({ kind: 'unknown_tool', tool })],
];

/** The same of searches of the web. */
const SEARCHES: readonly Reading[] = [
  [/^SearXNG does not answer with JSON\./, () => ({ kind: 'search_setup', wrong: 'no_json' })],
  [/^(?:No SearXNG server is set|The address of the SearXNG server is invalid)\./, () => ({ kind: 'search_setup', wrong: 'no_server' })],
  [/^No API key is set for Brave Search\./, () => ({ kind: 'search_setup', wrong: 'no_key' })],
  [/^Brave Search rejected the API key\./, () => ({ kind: 'search_setup', wrong: 'bad_key' })],
  [/^(.+?) did not search the web with the model /, (service) => ({ kind: 'search_unsupported', service, model: '' })],
  [/^(.+?) is asked (?:to search )?too often\./, (service) => ({ kind: 'rate_limited', service, of: 'service' })],
  [/^No pages were found\./, () => ({ kind: 'no_pages' })],
];

/** Texts for the model about calls that never ran, the same for all tools. */
const NOT_RUN: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ['Interrupted before it finished; not run again.', { kind: 'interrupted' }],
  ['Not executed: the answer reached its length limit before it was finished. Send the call again, in smaller parts.', { kind: 'not_run', why: 'length' }],
  ['Not executed: the answer broke off.', { kind: 'not_run', why: 'error' }],
  ['Not executed: the answer did not stop for tool use. Send the call again if it is still needed.', { kind: 'not_run', why: 'no_stop' }],
]);

/** The reason why a call never ran, recognized by the text for the model; `undefined` for one that did. */
export function oldNotRun(told: string): Failure | undefined {
  return NOT_RUN.get(told);
}

/** The reason why a call failed, recognized by the text for the model: for unknown texts, the first sentence. */
export function oldFailure(tool: string, told: string): Failure {
  for (const [pattern, failure] of tool === 'web_search' ? [...SEARCHES, ...SENTENCES] : SENTENCES) {
    const match = pattern.exec(told);
    if (match !== null) return failure(match[1] ?? '', match);
  }
  const frame = `The tool ${tool} failed: `;
  return told.startsWith(frame)
    ? { kind: 'crashed', tool, problem: firstSentence(told.slice(frame.length)) }
    : { kind: 'rejected', problem: firstSentence(told) };
}

/** A call that never ran, or that started a job. */
function withoutEnd(told: string, status: 'done' | 'failed' | 'cancelled'): CallOutcome {
  return status === 'failed' && !told.startsWith('Started job-') ? oldFailure('bash', told) : { kind: status };
}

function endedAs(line: string, status: 'done' | 'failed' | 'cancelled'): CallOutcome | undefined {
  const limit = TIME_LIMIT.exec(line)?.[1];
  if (limit !== undefined) return status === 'cancelled' ? { kind: 'cancelled' } : { kind: 'timed_out', limitMs: Math.round(Number(limit) * 1_000) };
  const ending = ENDING.exec(line);
  if (ending === null) return undefined;
  const [, code, signal, seconds] = ending;
  const durationMs = Math.round(Number(seconds) * 1_000);
  if (status === 'cancelled') return { kind: 'cancelled', durationMs };
  if (code !== undefined) return { kind: status === 'done' ? 'ran' : 'exited', exitCode: Number(code), durationMs };
  return { kind: 'killed', durationMs, ...present({ signal }) };
}

/** What `fetch` put around a page, and `web_search` around pages, so that a model took them for data. */
const FRAME = /^[^\n]*\n<(web_page|web_search)>\n([^]*)\n<\/\1>(?:\n\[PARTIAL: [^\n]*)?$/;
const HIT = /^\[\d+\] [^\n]*\nhttps?:/gm;
const FOUND_TOOLS = /^Found: ([\w-]+(?:, [\w-]+)*)$/;

/** A result of another tool that did what it was to do. */
export function oldSuccess(tool: string, told: string): ReadText {
  switch (tool) {
    case 'ask':
      return { outcome: oldAnswer(told), marks: {} };
    case 'fetch':
      return { outcome: { kind: 'done' }, marks: frameMarks(told) };
    case 'web_search': {
      const pages = FRAME.exec(told)?.[2] ?? told;
      return { outcome: { kind: 'found', count: pages.match(HIT)?.length ?? 0 }, marks: frameMarks(told) };
    }
    case 'find_tools':
      return { outcome: { kind: 'found_tools', names: FOUND_TOOLS.exec(told.split('\n', 1).join(''))?.[1]?.split(', ') ?? [] }, marks: {} };
    case 'write':
      return { outcome: { kind: told.startsWith('Created ') ? 'created' : 'done' }, marks: {} };
    case 'grep':
    case 'glob':
      return oldSearch(tool, told);
    case 'read':
    case 'list':
      return { outcome: { kind: 'done' }, marks: partialMarks(told) };
    default:
      return { outcome: { kind: 'done' }, marks: {} };
  }
}

function frameMarks(told: string): ResultMarks {
  const [, tag, shown] = FRAME.exec(told) ?? [];
  if (tag === undefined || shown === undefined) return {};
  const from = told.indexOf('\n') + `\n<${tag}>\n`.length;
  const notes = [
    { block: 0, from: 0, to: from },
    { block: 0, from: from + shown.length, to: told.length },
  ];
  return { notes };
}

/** What the user answered to a question, out of the frame that it had for the model. */
function oldAnswer(told: string): CallOutcome {
  if (told.startsWith('The user does not want to answer.')) return { kind: 'not_answered' };
  if (told === 'The user chose none of them.') return { kind: 'answered', chosen: [] };
  const [, choices, wrote] = /^(?:The user chose: ([^\n]*)\.)?\n?(?:The user wrote: ([^]*))?$/.exec(told) ?? [];
  const chosen = choices?.split(/(?<=”), (?=“)/).map((choice) => choice.slice(1, -1)) ?? [];
  if (chosen.length === 0 && (wrote ?? '') === '') return { kind: 'done' };
  return { kind: 'answered', chosen, ...present({ wrote }) };
}

/** How much a search found: matches where their lines were given, files where only names were. */
function oldSearch(tool: 'grep' | 'glob', told: string): ReadText {
  if (/^No (?:matches|files match)/.test(told)) return { outcome: { kind: 'found', count: 0 }, marks: partialMarks(told) };
  const lines = told.split('\n').filter((line) => !line.startsWith('['));
  const matches = tool === 'grep' ? lines.filter((line) => /^\d+:/.test(line)).length : 0;
  return { outcome: { kind: 'found', count: matches === 0 ? lines.length : matches }, marks: partialMarks(told) };
}

const PARTIAL = /^\[PARTIAL: /;

/** Notes at the beginning and end of a result said how a model got more. */
export function partialMarks(told: string): ResultMarks {
  if (!told.includes('[PARTIAL: ')) return {};
  const lines = told.split('\n');
  const isNote = (line: string, index: number): boolean => PARTIAL.test(line) && (index < 2 || index >= lines.length - 2);
  const { marks } = notedText(lines.map((line, index) => (isNote(line, index) ? { note: line } : line)));
  return lines.slice(-2).some((line) => PARTIAL.test(line)) ? { ...marks, more: true } : marks;
}
