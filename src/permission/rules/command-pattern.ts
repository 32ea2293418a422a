import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import type { RuleProblem } from './rule-labels.js';
import { compileName, nameFits } from '../../text/wildcards.js';
import { type WildcardPattern, fitsWildcards, mentionsWildcards, parseWildcards, restrictsWildcards } from './wildcard-pattern.js';

/** Pattern of the commands that a rule matches. */
export type CommandPattern =
  /** This text, of a whole command line or of one command in it. */
  | { readonly kind: 'exact'; readonly text: string }
  /** Commands that begin with these words. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** A `*` elsewhere than behind the last word. */
  | WildcardPattern;

/** Whether a rule matches a command: `maybe` when that is known only at run time, or when options are in between. */
export type Match = 'yes' | 'maybe' | 'no';

/** Parses the pattern in the parentheses of a rule for Bash: `npm test`, `npm test:*` (also written `npm test *`), `git * main`. */
export function parseCommandPattern(pattern: string): CommandPattern | RuleProblem {
  if (/^\/.*\/$/.test(pattern)) return { problem: t('Regular expressions are not supported. Use a command prefix, such as Bash(npm test:*).') };
  const prefix = /^(.*?)(?::| )\*$/.exec(pattern)?.[1]?.trim();
  const text = prefix ?? pattern;
  if (text === '') return { problem: t('A command prefix must precede :*. To match all commands, use Bash alone.') };
  if (!hasWildcard(text)) return { kind: prefix === undefined ? 'exact' : 'prefix', text: text.replaceAll('\\*', '*') };
  const wildcards = parseWildcards(text, prefix !== undefined);
  return wildcards ?? { problem: t('The pattern contains nothing but *. To match all commands, use Bash alone.') };
}

/** Whether a text has a `*` that stands for anything. */
function hasWildcard(text: string): boolean {
  return /(?:^|[^\\])\*/.test(text);
}

/** Redirections at the end of a command that only join its outputs or throw them away. */
const DISCARDS = /(?:\s+[12&]?>(?:&[12]|\s*\/dev\/null))+$/;

/** Escapes a text for a rule, so that each `*` is literal. */
export function escapeCommand(text: string): string {
  return text.replaceAll('*', '\\*');
}

/** Whether an exact rule is about a text: a whole command line, or one command as it is written. */
export function isExactly(pattern: CommandPattern, text: string): boolean {
  return pattern.kind === 'exact' && pattern.text === text.trim();
}

/** Whether an allow rule matches a command: words are compared one by one, as they are written. */
export function allowsCommand(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (pattern.kind === 'exact') return isExactly(pattern, command.source) || isExactly(pattern, command.source.replace(DISCARDS, ''));
  if (pattern.kind === 'wildcard') return fitsWildcards(pattern, command.words);
  return wordsOf(pattern.text).every((word, index) => command.words[index] === word);
}

/**
 * Whether a deny or ask rule may be about a command. The program is known by its name in any folder (`/usr/bin/curl`).
 * A word known only at run time may be any; options before the next word of the rule make no other command of
 * it (`git -C x push`).
 * @param fold brings names that are one program into one spelling.
 */
export function restrictsCommand(pattern: CommandPattern, command: SimpleCommand, fold: (name: string) => string): Match {
  if (pattern.kind === 'wildcard') return restrictsWildcards(pattern, command, fold);
  if (isExactly(pattern, command.source)) return 'yes';
  const [name, ...rest] = command.words;
  const [wanted = '', ...others] = wordsOf(pattern.text);
  if (name === undefined) return 'maybe';
  if (![name, baseName(name)].some((spelling) => fold(spelling) === fold(wanted))) return 'no';
  return pattern.kind === 'exact' ? sameWords(others, rest) : laterWords(others, rest);
}

/** Word boundaries within a text that some program may run. */
const SIGNS = /[\s"'`()[\]{};<>|&,$!=]+/;

/**
 * Whether the words of a command contain those of a deny or ask rule, so that it may run what the rule is about:
 * `ssh host curl x`, `git -c alias.x='!curl x' x`, `awk '{ system("curl x") }'`.
 */
export function mentionsCommand(pattern: CommandPattern, { words }: SimpleCommand, fold: (name: string) => string): boolean {
  const [wanted = '', ...others] = pattern.kind === 'wildcard' ? [] : wordsOf(pattern.text);
  const tokens = words
    .slice(1)
    .filter((_, index) => !isMessageOption(words[index]))
    .flatMap((word) => (word ?? '').split(SIGNS));
  if (pattern.kind === 'wildcard') return mentionsWildcards(pattern, tokens, fold);
  const at = tokens.findIndex((token) => [token, baseName(token)].some((name) => fold(name) === fold(wanted)));
  return at >= 0 && others.every((other) => tokens.slice(at).includes(other));
}

/** Whether the word behind it is only kept, as the message of a commit is. */
function isMessageOption(word: string | undefined): boolean {
  return /^(?:-[a-z]*m|--message|--body|--title)$/.test(word ?? '');
}

function sameWords(wanted: readonly string[], words: readonly (string | undefined)[]): Match {
  if (words.includes(undefined)) return 'maybe';
  if (wanted.join(' ') === words.join(' ')) return 'yes';
  return wanted.length === words.length && wanted.every((word, index) => word === words[index] || canBecome(words[index], word)) ? 'maybe' : 'no';
}

function laterWords(wanted: readonly string[], words: readonly (string | undefined)[]): Match {
  let match: Match = 'yes';
  let at = 0;
  for (const word of wanted) {
    for (; at < words.length && words[at] !== word; at += 1) {
      if (words[at] === undefined || canBecome(words[at], word)) return 'maybe';
      // An option, or what may be the value of the option before it.
      if (![words[at], words[at - 1]].some((skipped) => skipped?.startsWith('-'))) return 'no';
      match = 'maybe';
    }
    if (at === words.length) return 'no';
    at += 1;
  }
  return match;
}

/** Whether a file pattern can expand to a word: a file can have any name. */
function canBecome(word: string | undefined, wanted: string): boolean {
  return word !== undefined && /[*?[]/.test(word) && nameFits(compileName(word), wanted);
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The name of a program without its folder and the ending of Windows. */
function baseName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}
