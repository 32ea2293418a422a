import { type Failure, firstSentence } from '../../domain/tool/outcome.js';

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

/** What the model was told of calls of any tool that never ran. */
const NOT_RUN: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ['Interrupted before it finished; not run again.', { kind: 'interrupted' }],
  ['Not executed: the answer reached its length limit before it was finished. Send the call again, in smaller parts.', { kind: 'not_run', why: 'length' }],
  ['Not executed: the answer broke off.', { kind: 'not_run', why: 'error' }],
  ['Not executed: the answer did not stop for tool use. Send the call again if it is still needed.', { kind: 'not_run', why: 'no_stop' }],
]);

/** Why a call never ran, by what the model was told; `undefined` for one that did. */
export function oldNotRun(told: string): Failure | undefined {
  return NOT_RUN.get(told);
}

/** Why a call failed, by what the model was told: of what is not known, the first sentence says what happened. */
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
