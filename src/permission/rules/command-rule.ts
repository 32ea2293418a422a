import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { type CommandPattern, escapeCommand, isExactly } from './command-pattern.js';
import { isPrefixKnown, knowledgeOf } from './known/index.js';
import { isRule, parseRule } from './rule.js';

/** The prefix rule for a command with further arguments; `undefined` for one of which it is not known what its arguments do. */
export function prefixRule({ words, readsOnly, doubts }: SimpleCommand): string | undefined {
  if (readsOnly && doubts.length === 0) return readerRule(words);
  const knowledge = knowledgeOf(words);
  return knowledge.type === 'known' && knowledge.known.unoffered !== true ? checked(`Bash(${knowledge.named.join(' ')}:*)`) : undefined;
}

/** A rule for a program that only reads here, which is about other commands of it as far as they only read. */
function readerRule([name, first]: SimpleCommand['words']): string | undefined {
  if (name === undefined || !/^[\w.-]+$/.test(name)) return undefined;
  if (!isPrefixKnown([name])) return checked(`Bash(${name}:*)`);
  return first !== undefined && /^[a-z][\w-]*$/.test(first) ? checked(`Bash(${name} ${first}:*)`) : undefined;
}

/** The rule for exactly a text; `undefined` when it cannot be written in one line. */
export function exactRule(text: string): string | undefined {
  const rule = checked(`Bash(${escapeCommand(text.trim())})`);
  const parsed = rule === undefined ? undefined : parseRule(rule);
  const same = parsed !== undefined && isRule(parsed) && parsed.about === 'command' && parsed.pattern !== undefined && isExactly(parsed.pattern, text);
  return same ? rule : undefined;
}

/** Reason why a rule with a prefix or a `*` does not cover a command. */
export type Gap =
  /** It is not known what the arguments of the program do. */
  | { readonly type: 'program' }
  /** The command is known, and this argument is not in its list. */
  | { readonly type: 'argument'; readonly argument: string };

/**
 * Why a rule that fits a command does not let it pass: it allows commands that the user has not seen, so every word of the
 * command must be known to run or load nothing. `undefined` when it does let it pass.
 */
export function gapOf(pattern: CommandPattern, { words, readsOnly, doubts }: SimpleCommand): Gap | undefined {
  if (pattern.kind === 'exact' || (readsOnly && doubts.length === 0) || isScriptAlone(pattern, words)) return undefined;
  const knowledge = knowledgeOf(words);
  if (knowledge.type === 'known') return undefined;
  return knowledge.type === 'stray' ? { type: 'argument', argument: knowledge.argument } : { type: 'program' };
}

/** Path of a project script, as a command or as the file of an interpreter. */
const SCRIPT_PATH = /^(?:(?:\.{1,2}\/)?[\w.-]+(?:\/[\w.-]+)+|\.\/[\w.-]+)$/;
const SCRIPT_FILE = /^(?:python[\d.]*|node|deno run|bun run|tsx|ts-node|ruby|perl|php|lua|Rscript|bash|sh) [\w.][\w./-]*\.\w+$/;

/** Whether a rule with a prefix names a script of the project. What its arguments do is not known, so it covers the script without any. */
export function isForScript({ kind, text }: CommandPattern): boolean {
  return kind === 'prefix' && (SCRIPT_PATH.test(text) || SCRIPT_FILE.test(text));
}

function isScriptAlone(pattern: CommandPattern, words: SimpleCommand['words']): boolean {
  const { text } = pattern;
  return isForScript(pattern) && words.every((word) => word !== undefined) && words.join(' ') === text;
}

/** Whether a rule can let pass any command at all. @param readers programs that are known to only read with some options */
export function coversSomething(pattern: CommandPattern, readers: ReadonlySet<string>): boolean {
  if (pattern.kind === 'exact') return true;
  if (isForScript(pattern)) return true;
  const words = leadingWords(pattern);
  return words.length === 0 || readers.has(words[0] ?? '') || isPrefixKnown(words);
}

/** The words that every command begins with that a rule is about. */
function leadingWords(pattern: Exclude<CommandPattern, { readonly kind: 'exact' }>): readonly string[] {
  if (pattern.kind === 'prefix') return wordsIn(pattern.text);
  const [first = ''] = pattern.parts;
  return /\s$/.test(first) ? wordsIn(first) : wordsIn(first).slice(0, -1);
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function checked(rule: string): string | undefined {
  return isRule(parseRule(rule)) ? rule : undefined;
}
