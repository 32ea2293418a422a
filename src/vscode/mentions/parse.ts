import type { SpecialMention } from '../../protocol/mention-syntax.js';
import { mayBegin, SPECIAL_MENTIONS } from '../../protocol/mention-syntax.js';
import type { LineRange } from '../../text/text-edit.js';
import type { Mention } from './mention.js';

/** Characters of a text in which mentions are looked for: enough for what a user types, not for files that they paste. */
const MAX_LOOKED_AT = 200_000;
/** `@"path":lines`, or anything up to a white space. */
const CANDIDATE = /@(?:"([^"\n]{1,1000})"(:\d{1,9}(?:-\d{1,9})?(?![\d\w]))?|([^\s"@][^\s"]{0,2000}))/g;
const LINES = /:(\d{1,9})(?:-(\d{1,9}))?$/;
/** Signs behind a mention that belong to the sentence around it. */
const SENTENCE_END = /[.,;:!?'’”»…)\]}>]+$/;

/** What a text mentions, in order, each once. */
export function parseMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const match of text.slice(0, MAX_LOOKED_AT).matchAll(CANDIDATE)) {
    if (!mayBegin(text, match.index)) continue;
    const [, quoted, lines = '', plain = ''] = match;
    const mention = quoted === undefined ? mentionOf(withoutSentence(plain)) : pathOf(quoted + lines, true, lines !== '');
    if (mention !== undefined) found.set(JSON.stringify(mention), mention);
  }
  return [...found.values()];
}

function mentionOf(word: string): Mention | undefined {
  if (word === '') return undefined;
  if (word.startsWith('#')) return /^#[\p{L}_$]/u.test(word) ? { kind: 'symbol', name: word.slice(1) } : undefined;
  if (/^https?:\/\//i.test(word)) return URL.canParse(word) ? { kind: 'url', url: word } : undefined;
  return specialOf(word) ?? pathOf(word, /[./\\]/.test(word), true);
}

function specialOf(word: string): Mention | undefined {
  const [name = '', ...rest] = word.split(':');
  const kind = SPECIAL_MENTIONS.find((special): special is SpecialMention => special === name);
  if (kind === undefined) return undefined;
  const path = rest.join(':');
  if (path === '') return { kind };
  if (kind !== 'problems') return undefined;
  const lines = LINES.exec(path);
  return lines === null ? { kind, path } : { kind, path: path.slice(0, lines.index), lines: linesOf(lines) };
}

function pathOf(word: string, sure: boolean, mayHaveLines: boolean): Mention {
  const lines = mayHaveLines ? LINES.exec(word) : null;
  if (lines === null) return { kind: 'path', path: word, sure };
  return { kind: 'path', path: word.slice(0, lines.index), lines: linesOf(lines), sure: true };
}

function linesOf([, from = '1', to = from]: RegExpExecArray): LineRange {
  const [a, b] = [Math.max(1, Number(from)), Math.max(1, Number(to))];
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

/** A bracket that was opened in the word stays with it, as in the address of many an encyclopaedia. */
function withoutSentence(word: string): string {
  const bare = word.replace(SENTENCE_END, '');
  const tail = word.slice(bare.length);
  const closes = tail.startsWith(')') && bare.split('(').length > bare.split(')').length;
  return closes ? `${bare})` : bare;
}
