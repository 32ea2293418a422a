import { t } from '../../domain/l10n.js';
import { INTERRUPTED } from '../../engine/tool-call/results.js';
import { notExecuted } from '../../engine/turn/outcome.js';
import { headOf } from '../../text/show.js';
import type { ShortPath } from './call-topic.js';

/** Characters of a sentence that is shown as it is. */
const MAX_SENTENCE = 200;

/** Failures of tools as they are told to the model, by what the user has to know of them. `{0}` is the file. */
const KNOWN: readonly (readonly [RegExp, (file: string) => string])[] = [
  [/^(?:[^\n]*?: )?old_string was not found in (.+?); nothing was changed/, (file) => t('The text to replace is not in {0}.', file)],
  [
    /^(?:[^\n]*?: )?old_string occurs (?:once|\d+ times) in (.+?), not \S+ as expected_replacements says;/,
    (file) => t('The text to replace does not occur in {0} as often as the model expects.', file),
  ],
  [
    /^(?:“[^]*” stands for text left out, and would be written to|Line \d+ of the content stands for text [^]*\.) (.+?) (?:as it is;|would lose it, so)/,
    (file) => t('The model left out a part of {0}, so nothing was changed.', file),
  ],
  [/^(?:[^\n]*?: )?old_string occurs \d+ times in (.+?); nothing was changed/, (file) => t('The text to replace occurs more than once in {0}.', file)],
  [/^The edit would change nothing in (.+?): /, (file) => t('{0} already has this text.', file)],
  [/^(.+?) has exactly this content already; /, (file) => t('{0} already has this text.', file)],
  [/^(.+?) does not exist[.:]/, (file) => t('File not found: {0}', file)],
  [/^(.+?) is a folder(?:\.|, not a file)/, (file) => t('{0} is a folder.', file)],
  [/^(.+?) has changed (?:since it was read|meanwhile)/, (file) => t('{0} has changed since Gnomon read it.', file)],
  [/^(.+?) (?:exists and has not been read\.|is outside the workspace and has not been read\.)/, (file) => t('Gnomon must read {0} before changing it.', file)],
  [/^Only a part of (.+?) has been read\./, (file) => t('Gnomon must read all of {0} before changing it.', file)],
  [/^The PDF document is protected with a password\./, () => t('The PDF document is protected with a password.')],
  [/^The PDF document (?:is broken: |cannot be read: )/, () => t('The PDF document cannot be read.')],
  [/^The PDF document takes /, () => t('The PDF document takes too long or too much memory to read.')],
  [/^(.+?) is a binary file/, (file) => t('{0} is a binary file.', file)],
  [/^(.+?) is not a text file/, (file) => t('{0} is not a text file.', file)],
  [/^(.+?) is too large/, (file) => t('{0} is too large.', file)],
  [/^(.+?) is read-only;/, (file) => t('{0} is read-only.', file)],
  [/^(.+?) may not be (?:accessed|changed): /, (file) => t('The system denies access to {0}.', file)],
  [/^The arguments of \S+ (?:do not fit|cannot be read)/, () => t('The model made an invalid call.')],
  [/^The agent “([^]+?)” does not have this tool\./, (agent) => t('The agent “{0}” does not have this tool.', agent)],
  [/^There is no tool named /, () => t('The model called a tool that does not exist.')],
];

/** The same of searches of the web, where what to do is in settings that only the user has. `{0}` is who searched. */
const SEARCHES: typeof KNOWN = [
  [
    /^SearXNG does not answer with JSON\./,
    () => t('SearXNG does not return JSON. Add “json” to search.formats in its settings.yml, or correct the setting gnomon.webSearch.searxngUrl.'),
  ],
  [
    /^(?:No SearXNG server is set|The address of the SearXNG server is invalid)\./,
    () => t('No valid SearXNG URL is set. Correct the setting gnomon.webSearch.searxngUrl.'),
  ],
  [/^No API key is set for Brave Search\./, () => t('No API key is set for Brave Search. Run “Gnomon: Set Brave Search API Key”.')],
  [/^Brave Search rejected the API key\./, () => t('Brave Search rejected the API key. Run “Gnomon: Set Brave Search API Key” and enter a valid one.')],
  [
    /^(.+?) did not search the web with the model /,
    (name) =>
      t('{0} does not offer web search with this model or account. Choose another model, or another search in the setting gnomon.webSearch.provider.', name),
  ],
  [/^(.+?) is asked (?:to search )?too often\./, (name) => t('{0} is rate limiting your requests. {1}', name, t('Try again in a minute.'))],
  [/^No pages were found\./, () => t('No pages were found.')],
];

/** What the engine tells the model of calls that never ran, whatever the tool, by what the user has to know of them. */
const NOT_RUN: ReadonlyMap<string, () => string> = new Map([
  [INTERRUPTED, () => t('Interrupted before it finished.')],
  [notExecuted('length'), () => t('Not run: the response reached its length limit.')],
  [notExecuted('error'), () => t('Not run: the response was cut off.')],
  [notExecuted('tool_use'), () => t('Not run: the response ended before its tool calls.')],
]);

/** Why a call never ran, for the user; `undefined` for one that did. @param text what the model is told */
export function notRunWords(text: string): string | undefined {
  return NOT_RUN.get(text)?.();
}

/**
 * Why a call failed, for the user. What tools say is for models: it names arguments, and tells what to call next. What is not known
 * is shown up to the end of its first sentence, which says what happened; the advice comes after that.
 */
export function failureWords(tool: string, text: string, short: ShortPath): string {
  for (const [pattern, words] of tool === 'web_search' ? [...SEARCHES, ...KNOWN] : KNOWN) {
    const found = pattern.exec(text);
    if (found !== null) return words(short(found[1] ?? ''));
  }
  const frame = `The tool ${tool} failed: `;
  const plain = text.startsWith(frame) ? text.slice(frame.length) : text;
  const [sentence = ''] = /^[^\n]*?(?:[.!?](?=\s|$)|$)/m.exec(plain) ?? [];
  return sentence.length > MAX_SENTENCE ? `${headOf(sentence, MAX_SENTENCE)}…` : sentence;
}
