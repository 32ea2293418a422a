import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { type NameStep, compileName, nameFits } from '../../text/wildcards.js';

/**
 * A rule for commands with a `*` at any place, in the meaning of Claude Code (code.claude.com/docs/en/permissions, “Wildcard
 * patterns”): each stands for any text, blanks included. Only ` *` or `:*` at the end keeps to whole words, so that `Bash(ls *)` is
 * not about `lsof` and `Bash(ls*)` is.
 */
export interface WildcardPattern {
  readonly kind: 'wildcard';
  /** The text as it is written, without what `open` says. */
  readonly text: string;
  /** The literal texts between the `*`; the first and the last hold at the beginning and the end. */
  readonly parts: readonly string[];
  /** Whether further words may follow. */
  readonly open: boolean;
}

/** Parses a text that has a `*` which is not escaped. `undefined` when there is nothing else. */
export function parseWildcards(text: string, open: boolean): WildcardPattern | undefined {
  const parts = text.split(/(?<!\\)\*+/).map((part) => part.replaceAll('\\*', '*'));
  return parts.every((part) => part.trim() === '') ? undefined : { kind: 'wildcard', text, parts, open };
}

/** Whether an allow rule is about a command, as it is written. */
export function fitsWildcards(pattern: WildcardPattern, words: readonly (string | undefined)[]): boolean {
  return !words.includes(undefined) && fitsText(pattern, words.join(' '));
}

/**
 * Whether a deny or ask rule may be about a command: by its text or, since options and folders make no other program of it, by the
 * words that the rule names, one after the other.
 * @param fold brings names that are one program into one spelling.
 */
export function restrictsWildcards(pattern: WildcardPattern, { source, words }: SimpleCommand, fold: (name: string) => string): 'yes' | 'maybe' | 'no' {
  const [name, ...rest] = words;
  if (name === undefined) return 'maybe';
  const spellings = [name, baseName(name)].map(fold);
  const folded = { ...pattern, parts: pattern.parts.map((part, index) => (index === 0 ? foldProgram(part, fold) : part)) };
  const texts = spellings.map((spelling) => [spelling, ...rest.map((word) => word ?? '')].join(' '));
  if (!rest.includes(undefined) && [...texts, source].some((text) => fitsText(folded, text))) return 'yes';
  const tokens = tokensOf(pattern);
  const [first] = tokens;
  const startsFree = pattern.parts[0] === '' || first === undefined;
  if (!startsFree && !spellings.some((spelling) => nameFits(compileName(fold(first)), spelling))) return 'no';
  return hasInOrder(startsFree ? tokens : tokens.slice(1), startsFree ? words : rest, pattern) ? 'maybe' : 'no';
}

/** Whether the words that another program may run contain those of the rule. */
export function mentionsWildcards(pattern: WildcardPattern, words: readonly string[], fold: (name: string) => string): boolean {
  const tokens = tokensOf(pattern);
  const matches = tokens.map((token) => compileName(fold(token)));
  let at = 0;
  for (const match of matches) {
    const found = words.findIndex((word, index) => index >= at && [word, baseName(word)].some((spelling) => nameFits(match, fold(spelling))));
    if (found < 0) return false;
    at = found + 1;
  }
  return tokens.length > 0;
}

function fitsText({ parts, open }: WildcardPattern, text: string): boolean {
  return fitsParts(parts, text) || (open && fitsParts([...parts.slice(0, -1), `${parts.at(-1) ?? ''} `, ''], text));
}

/** Only the first place of each part is tried, which is enough: the time grows with the text and the parts alone. */
function fitsParts(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** The words of a rule that say anything, each with the `*` within it. */
function tokensOf({ text }: WildcardPattern): readonly string[] {
  return text
    .split(/\s+/)
    .filter((word) => /[^*]/.test(word))
    .map((word) => word.replaceAll(/[?[]/g, '\\$&'));
}

/** Whether the words have those of a rule in their order. The last must end them, but for options, unless the rule goes on. */
function hasInOrder(tokens: readonly string[], words: readonly (string | undefined)[], { open, text }: WildcardPattern): boolean {
  let at = 0;
  for (const token of tokens) {
    const steps = compileName(token);
    const found = words.findIndex((word, index) => index >= at && mayBe(steps, word, token));
    if (found < 0) return false;
    at = found + 1;
  }
  return open || text.endsWith('*') || words.slice(at).every((word) => word?.startsWith('-') !== false);
}

/** A word known only at run time may be any; a file pattern may become what the rule names. */
function mayBe(steps: readonly NameStep[], word: string | undefined, token: string): boolean {
  if (word === undefined || nameFits(steps, word) || nameFits(steps, baseName(word))) return true;
  return /[*?[]/.test(word) && nameFits(compileName(word), token);
}

function foldProgram(part: string, fold: (name: string) => string): string {
  const [program = ''] = part.split(' ');
  return `${fold(program)}${part.slice(program.length)}`;
}

/** The name of a program without its folder and the ending of Windows. */
function baseName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}
