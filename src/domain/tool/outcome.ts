import type { Denial } from './denial.js';

/** A part of the text of a result that only the model is to read, such as advice on what to call next. */
export interface ModelNote {
  /** Index of the block of the result. */
  readonly block: number;
  /** Where it begins and ends in the text of that block, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** Marks for showing a result to the user: notes to leave out, and whether there is more. */
export interface ResultMarks {
  /** Notes for the model that are left out. Absent for none. */
  readonly notes?: readonly ModelNote[];
  /** Whether there is more than the result has. */
  readonly more?: true;
  /** What ran, where it is not what the model had asked for. */
  readonly ran?: RanInstead;
}

/** A call that ran in place of the one that a model made. */
export interface RanInstead {
  /** Title of what ran, as the plan had it. */
  readonly subject: string;
  /** Who changed it. */
  readonly by: 'user' | 'hook';
}

/** A call that did what was asked for. */
export type Success = { readonly kind: 'done' } | { readonly kind: 'created' } | Found | FoundTools | Answered | { readonly kind: 'not_answered' } | Ran;

/** A search, and how much it found. */
interface Found {
  readonly kind: 'found';
  readonly count: number;
}

/** A search for deferred tools, and the names of those that it found. */
interface FoundTools {
  readonly kind: 'found_tools';
  readonly names: readonly string[];
}

/** A question that the user answered: with some of its choices, with words of their own, or both. */
interface Answered {
  readonly kind: 'answered';
  readonly chosen: readonly string[];
  readonly wrote?: string;
}

/** A command that ended well, whatever its exit code: some programs say no with 1. */
interface Ran {
  readonly kind: 'ran';
  readonly exitCode: number;
  readonly durationMs: number;
}

/** A file that a call could not be made for. `file` is its name as the model knows it. */
interface OfFile<Kind extends string> {
  readonly kind: Kind;
  readonly file: string;
}

/** The number of an edit among those of its call; absent where it is the only one. */
interface OfEdit {
  readonly edit?: { readonly number: number; readonly of: number };
}

/** Why a file cannot be read or changed. */
export type FileFailure =
  /** `in_file`: a part of its path is a file. */
  | (OfFile<'not_found'> & { readonly why?: 'in_file' })
  /** `wanted`: it was to be a file. */
  | (OfFile<'is_folder'> & { readonly wanted?: 'file' })
  /** Noticed when the change was planned, when it was written to the disk or in the editor, or while it was being written. */
  | (OfFile<'changed_meanwhile'> & { readonly noticed: 'planning' | 'writing' | 'editing' | 'replacing' })
  /** `exists`: it is where a new one was to be; `outside`: it is not in the workspace; `partly`: only a part of it was read. */
  | (OfFile<'not_read'> & { readonly why: 'exists' | 'outside' | 'partly' })
  /** `type` is what it is, in words of the field, `extension` what its name ends with, where that is not known. */
  | (OfFile<'binary'> & { readonly type?: string; readonly extension?: string })
  | (OfFile<'not_text'> & { readonly wanted: 'edit' | 'replace' | 'write' })
  | (OfFile<'too_large'> & { readonly wanted: 'edit' | 'read' })
  /** `wanted` is what was to become of it other than being written. */
  | (OfFile<'read_only'> & { readonly wanted?: 'deleted' | 'moved' })
  | (OfFile<'inaccessible'> & { readonly wanted: 'access' | 'change' })
  /** `line` is where the content of a whole file has the line that stands for what was left out; absent for an edit. */
  | (OfFile<'text_left_out'> & { readonly line?: number })
  /** The text to replace is not in the file. */
  | (OfFile<'text_not_found'> & OfEdit)
  /** The text to replace is there several times, or not as often as expected. */
  | (OfFile<'ambiguous'> & OfEdit & { readonly found: number; readonly expected?: number })
  | (OfFile<'unchanged'> & { readonly by: 'edit' | 'write' });

/** Why there is no text of a PDF document. */
interface UnreadablePdf {
  readonly kind: 'unreadable_pdf';
  readonly why: 'password' | 'memory' | 'time' | 'broken' | 'ended';
  /** The limit, with `time`. */
  readonly seconds?: number;
}

/** Why a search of the web found nothing. */
export type SearchFailure =
  | { readonly kind: 'search_setup'; readonly wrong: 'no_json' | 'no_server' | 'bad_server' | 'no_key' | 'bad_key' }
  /** The model, or the account, has no search; `service` is who was asked. */
  | { readonly kind: 'search_unsupported'; readonly service: string; readonly model: string }
  /** `seconds` is how long to wait, as the service asked. */
  | { readonly kind: 'rate_limited'; readonly service: string; readonly of: 'service' | 'model'; readonly seconds?: number }
  | { readonly kind: 'no_pages' };

/** A call that nothing was done for, as it was not one that can be made. */
type InvalidCall =
  /** The arguments are no JSON, a list, or do not fit the schema. */
  | { readonly kind: 'invalid_arguments'; readonly tool: string; readonly wrong: 'json' | 'list' | 'schema' }
  /** `calledBy` is the tool that was to call it. */
  | { readonly kind: 'unknown_tool'; readonly tool: string; readonly calledBy?: string }
  | { readonly kind: 'agent_lacks_tool'; readonly agent: string }
  /** The agents of a chat have reached a limit, so that no other one begins. `started` is how many have begun. */
  | { readonly kind: 'agent_limit'; readonly limit: 'money' | 'tokens' | 'agents'; readonly started: number }
  /** Whatever else a tool says to a call; `problem` is a sentence that says what, for both the model and the user. */
  | { readonly kind: 'rejected'; readonly problem: string };

/** A call that ran, or was about to, and went wrong. */
type FailedRun =
  /** The result describes the error. */
  | { readonly kind: 'failed' }
  /** Unexpected error; `problem` describes it. */
  | { readonly kind: 'crashed'; readonly tool: string; readonly problem: string }
  /** The tool gave back what no message can have. */
  | { readonly kind: 'unusable'; readonly problem: string }
  | { readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number }
  /** `signal` is absent where it is not known. */
  | { readonly kind: 'killed'; readonly signal?: string; readonly durationMs: number }
  | { readonly kind: 'timed_out'; readonly limitMs: number }
  /** The program ended while it ran. */
  | { readonly kind: 'interrupted' }
  /** The response that it is in reached its limit, broke off, or did not stop for it. */
  | { readonly kind: 'not_run'; readonly why: 'length' | 'error' | 'no_stop' };

/** A call that failed; all but {@link FailedRun} can be thrown by tools. */
export type Failure = FileFailure | UnreadablePdf | SearchFailure | InvalidCall | FailedRun;

/** A denial in whatever words an older version has stored; no other field of it is known. */
export interface ToldDenial {
  readonly kind: 'told';
  readonly reason: string;
}

/** A call that the user stopped. */
interface Cancelled {
  readonly kind: 'cancelled';
  /** Whether the response that it is in was stopped, so that it never began. */
  readonly unstarted?: true;
  /** Duration of its command so far. */
  readonly durationMs?: number;
}

/**
 * Outcome of a tool call: data from which both the text for the model ({@link forModel}) and that for the user are made. It
 * travels with the result, and is stored beside it.
 */
export type CallOutcome = (Success | Failure | Cancelled | { readonly kind: 'denied'; readonly denial: Denial | ToldDenial }) & ResultMarks;

/** Status of an ended call. */
export type EndStatus = 'done' | 'failed' | 'denied' | 'cancelled';

const SUCCESSES: ReadonlySet<CallOutcome['kind']> = new Set<Success['kind']>(['done', 'created', 'found', 'found_tools', 'answered', 'not_answered', 'ran']);

/** The status of a call that ended so. */
export function statusOf({ kind }: CallOutcome): EndStatus {
  if (kind === 'denied' || kind === 'cancelled') return kind;
  return SUCCESSES.has(kind) ? 'done' : 'failed';
}

/** Outcome of a call of which only success or failure is known, such as one of a server. */
export function plainOutcome(isError: boolean): CallOutcome {
  return { kind: isError ? 'failed' : 'done' };
}

/** Characters of a sentence that is kept. */
const MAX_SENTENCE = 200;

/** The first sentence of a text, which says what happened; advice comes after that. A long one is cut. */
export function firstSentence(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const ends = ['. ', '! ', '? '].map((end) => line.indexOf(end)).filter((at) => at >= 0);
  const sentence = ends.length === 0 ? line : line.slice(0, Math.min(...ends) + 1);
  if (sentence.length <= MAX_SENTENCE) return sentence;
  const last = sentence.charCodeAt(MAX_SENTENCE - 1);
  // A cut must not fall between the halves of a surrogate pair.
  return `${sentence.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_SENTENCE - 1 : MAX_SENTENCE)}…`;
}
