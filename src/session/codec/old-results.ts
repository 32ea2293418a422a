import { type ResultLine, notedText } from '../../domain/tool/model-notes.js';
import type { CallOutcome, ResultMarks } from '../../domain/tool/outcome.js';
import { oldFailure } from './old-failures.js';

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
  return { kind: 'killed', durationMs, ...(signal === undefined ? {} : { signal }) };
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
  return { kind: 'answered', chosen, ...(wrote === undefined ? {} : { wrote }) };
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
