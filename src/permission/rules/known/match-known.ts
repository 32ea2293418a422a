import { type ArgumentKind, isOfKind, kindNamed, type KnownCommand } from './known-command.js';

/** Result of matching a command with a list of known commands. */
export type Knowledge =
  /** No entry is about it. */
  | { readonly type: 'unknown' }
  /** An entry is about it, and does not know this argument. */
  | { readonly type: 'stray'; readonly known: KnownCommand; readonly argument: string }
  | { readonly type: 'known'; readonly known: KnownCommand; readonly named: readonly string[] };

/** Compares the words of a command with entries. Among those that fit, the first decides that knows all arguments. */
export function matchKnown(words: readonly string[], entries: readonly KnownCommand[]): Knowledge {
  let best: Knowledge = { type: 'unknown' };
  for (const known of entries) {
    const named = namesOf(known);
    if (!named.every((name, index) => isNamed(name, words[index]))) continue;
    const argument = strayArgument(words.slice(named.length), known);
    if (argument === undefined) return { type: 'known', known, named: words.slice(0, named.length) };
    best = { type: 'stray', known, argument };
  }
  return best;
}

/** The words that name an entry. */
export function namesOf({ words }: KnownCommand): readonly string[] {
  return words.split(' ');
}

/** Whether a word can stand at the place of a word that names an entry. */
export function isNamed(name: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  const kind = kindNamed(/^<(\w+)>$/.exec(name)?.[1] ?? '');
  return kind === undefined ? name === word : isOfKind(kind, word);
}

/** The first argument that an entry does not know; `undefined` when it knows all. */
function strayArgument(args: readonly string[], known: KnownCommand): string | undefined {
  const dashes = args.indexOf('--');
  const before = dashes < 0 ? args : args.slice(0, dashes);
  const after = dashes < 0 ? [] : args.slice(dashes + 1);
  const { behind } = known;
  const stray = strayIn(before, known);
  if (stray !== undefined) return stray;
  if (behind !== undefined) return strayIn(after, { ...behind, singleDash: known.singleDash });
  return after.find((word) => known.first !== undefined || !isOperand(word, known.operands));
}

interface Table {
  readonly options?: string;
  readonly operands?: ArgumentKind;
  readonly first?: ArgumentKind;
  readonly singleDash?: true | undefined;
}

function strayIn(args: readonly string[], table: Table): string | undefined {
  const options = optionsOf(table.options ?? '');
  let operands = 0;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (!word.startsWith('-')) {
      if (!isOperand(word, (operands === 0 ? table.first : undefined) ?? table.operands)) return word;
      operands += 1;
      continue;
    }
    const taken = readOption(word, args[at + 1], options, table.singleDash === true);
    if (taken === undefined) return word;
    if (taken === 'with next') at += 1;
  }
  return undefined;
}

function isOperand(word: string, kind: ArgumentKind | undefined): boolean {
  return kind !== undefined && !word.startsWith('-') && isOfKind(kind, word);
}

interface Option {
  /** Left out for options without a value. */
  readonly kind?: ArgumentKind;
  /** Whether the value can only stand behind `=`, and can be left out. */
  readonly optional: boolean;
}

/** Options by the text that lists them: commands are compared with the same entries again and again. */
const PARSED = new Map<string, ReadonlyMap<string, Option>>();

function optionsOf(text: string): ReadonlyMap<string, Option> {
  const parsed =
    PARSED.get(text) ??
    new Map(
      text
        .split(/\s+/)
        .filter((token) => token !== '')
        .map((token) => [token.replace(/\??=.*$/, ''), optionOf(token)]),
    );
  PARSED.set(text, parsed);
  return parsed;
}

function optionOf(token: string): Option {
  const [, optional = '', name] = /(\??)=(\w+)$/.exec(token) ?? [];
  if (name === undefined) return { optional: false };
  const kind = kindNamed(name);
  if (kind === undefined) throw new Error(`No argument is of the kind ${name}.`);
  return { kind, optional: optional === '?' };
}

/** Parses a word as a known option; `undefined` when it is none. */
function readOption(word: string, next: string | undefined, options: ReadonlyMap<string, Option>, singleDash: boolean): 'alone' | 'with next' | undefined {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const option = options.get(name);
  if (option !== undefined && (equals < 0 || singleDash || name.startsWith('--'))) {
    if (equals >= 0) return option.kind !== undefined && isOfKind(option.kind, word.slice(equals + 1)) ? 'alone' : undefined;
    if (option.kind === undefined || option.optional) return 'alone';
    return isValue(next, option.kind) ? 'with next' : undefined;
  }
  return singleDash || word.startsWith('--') ? undefined : readLetters(word.slice(1), next, options);
}

function readLetters(letters: string, next: string | undefined, options: ReadonlyMap<string, Option>): 'alone' | 'with next' | undefined {
  for (let at = 0; at < letters.length; at += 1) {
    const option = options.get(`-${letters.charAt(at)}`);
    if (option === undefined) return undefined;
    if (option.kind === undefined) continue;
    const rest = letters.slice(at + 1);
    if (rest !== '') return isOfKind(option.kind, rest) ? 'alone' : undefined;
    return option.optional ? 'alone' : isValue(next, option.kind) ? 'with next' : undefined;
  }
  return letters === '' ? undefined : 'alone';
}

/** Some programs take a word with a dash for the next option, so it is never a value here. */
function isValue(word: string | undefined, kind: ArgumentKind): boolean {
  return word !== undefined && !word.startsWith('-') && isOfKind(kind, word);
}
