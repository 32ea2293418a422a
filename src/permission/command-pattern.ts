import type { SimpleCommand } from '../domain/command-analysis.js';
import { t } from '../domain/l10n.js';
import type { RuleProblem } from './rule.js';

/** Which commands a rule is about. */
export interface CommandPattern {
  /** `exact`: this text, of a whole command line or of one command in it. `prefix`: commands that begin with these words. */
  readonly kind: 'exact' | 'prefix';
  readonly text: string;
}

/** Whether a rule is about a command: `maybe` when only running tells, or when options stand between. */
export type Match = 'yes' | 'maybe' | 'no';

/** Reads what stands in the parentheses of a rule for Bash: `npm test`, `npm test:*` (also written `npm test *`). */
export function parseCommandPattern(pattern: string): CommandPattern | RuleProblem {
  if (/^\/.*\/$/.test(pattern)) return { problem: t('Regular expressions are not rules. Write the beginning of the command, such as Bash(npm test:*).') };
  const prefix = /^(.*?)(?::| )\*$/.exec(pattern)?.[1]?.trim();
  const text = prefix ?? pattern;
  if (/(?:^|[^\\])\*/.test(text)) {
    return { problem: t('A * can only stand at the end, as in Bash(npm test:*). A * of the command itself is written \\*.') };
  }
  if (text === '') return { problem: t('Before :* comes the beginning of a command. For all commands write Bash alone.') };
  return { kind: prefix === undefined ? 'exact' : 'prefix', text: text.replaceAll('\\*', '*') };
}

/** A text as it is written in a rule, so that each `*` stands for itself. */
export function escapeCommand(text: string): string {
  return text.replaceAll('*', '\\*');
}

/** Whether an exact rule is about a text: a whole command line, or one command as it is written. */
export function isExactly(pattern: CommandPattern, text: string): boolean {
  return pattern.kind === 'exact' && pattern.text === text.trim();
}

/** Whether an allow rule is about a command: words are compared one by one, as they are written (cmd-31). */
export function allowsCommand(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (pattern.kind === 'exact') return isExactly(pattern, command.source);
  return wordsOf(pattern.text).every((word, index) => command.words[index] === word);
}

/**
 * Whether a deny or ask rule may be about a command. The program is known by its name in any folder (`/usr/bin/curl`).
 * A word that only running tells may be any (cmd-06); options before the next word of the rule make no other command of
 * it (`git -C x push`).
 * @param fold brings names that are one program into one spelling.
 */
export function restrictsCommand(pattern: CommandPattern, command: SimpleCommand, fold: (name: string) => string): Match {
  if (isExactly(pattern, command.source)) return 'yes';
  const [name, ...rest] = command.words;
  const [wanted = '', ...others] = wordsOf(pattern.text);
  if (name === undefined) return 'maybe';
  if (![name, baseName(name)].some((spelling) => fold(spelling) === fold(wanted))) return 'no';
  return pattern.kind === 'exact' ? sameWords(others, rest) : laterWords(others, rest);
}

function sameWords(wanted: readonly string[], words: readonly (string | undefined)[]): Match {
  if (words.includes(undefined)) return 'maybe';
  return wanted.join(' ') === words.join(' ') ? 'yes' : 'no';
}

function laterWords(wanted: readonly string[], words: readonly (string | undefined)[]): Match {
  let match: Match = 'yes';
  let at = 0;
  for (const word of wanted) {
    for (; at < words.length && words[at] !== word; at += 1) {
      if (words[at] === undefined) return 'maybe';
      // An option, or what may be the value of the option before it.
      if (![words[at], words[at - 1]].some((skipped) => skipped?.startsWith('-'))) return 'no';
      match = 'maybe';
    }
    if (at === words.length) return 'no';
    at += 1;
  }
  return match;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The name of a program without its folder and the ending of Windows. */
function baseName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '');
}
