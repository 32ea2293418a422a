import { anyOf } from '../../../text/any-of.js';
import type { Context, Range, Scope } from '../context.js';
import { DOUBT, unreadable } from '../doubts.js';
import { judgeAllWithin } from '../words/expansions.js';
import { after, either, type Flow, staysIn } from '../folders.js';
import type { HeredocRest } from '../statements/heredoc.js';
import { invoke } from './invoke.js';
import { judgeWord } from '../words/judge-word.js';
import { addLooseMentions, addWordMentions } from './mentions.js';
import { judgeRedirections } from '../statements/redirections.js';
import { readSimpleText, type SimpleText } from '../words/simple-text.js';
import type { Piece, RawWord, Word } from '../words/word.js';

/** Reserved words where a command begins. The grammar sometimes misses them. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'in'],
  ...['select', 'function', '{', '}', '!', '[[', ']]'],
]);
/** Words that may precede a command. */
const PREFIXES: ReadonlySet<string> = new Set(['time', 'coproc']);

/** Maximum number of words; more count as unknown. */
const MAX_WORDS = 64;
/** The longest word that is looked at, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** A character as written. */
interface Sign {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Brace expansion of bash, which precedes all other expansions: `a{b,c}` is `ab ac`. Returns the word itself where it has
 * no braces, and where the result is known only at run time or too large: with variables in it, with sequences such as
 * `{1..3}`, and when there are too many.
 */
function expandBraces(raw: RawWord): readonly RawWord[] {
  const signs = raw.pieces.map((piece) => (piece.kind === 'text' ? Array.from(piece.text, (text) => ({ text, quoted: piece.quoted })) : undefined));
  if (!signs.every((part) => part !== undefined) || raw.end - raw.start > MAX_LENGTH) return [raw];
  const words = expand(signs.flat());
  return words.length === 1 ? [raw] : words.map((word) => ({ ...raw, pieces: piecesOf(word), expansions: [] }));
}

function expand(signs: readonly Sign[]): readonly (readonly Sign[])[] {
  for (let open = 0; open < signs.length; open += 1) {
    const group = isSign(signs[open], '{') ? groupAt(signs, open) : undefined;
    if (group === undefined) continue;
    const before = signs.slice(0, open);
    const behind = expand(signs.slice(group.end + 1));
    const inner = group.parts.flatMap(expand);
    if (inner.length * behind.length > MAX_WORDS) return [signs];
    return inner.flatMap((part) => behind.map((rest) => [...before, ...part, ...rest]));
  }
  return [signs];
}

/** The alternatives between a brace and the one that closes it; `undefined` where it is an ordinary character. */
function groupAt(signs: readonly Sign[], open: number): { readonly parts: readonly (readonly Sign[])[]; readonly end: number } | undefined {
  const parts: (readonly Sign[])[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < signs.length; at += 1) {
    if (isSign(signs[at], '{')) depth += 1;
    else if (isSign(signs[at], '}')) depth -= 1;
    if (depth === 0) return parts.length === 0 ? undefined : { parts: [...parts, signs.slice(start, at)], end: at };
    if (depth === 1 && isSign(signs[at], ',')) {
      parts.push(signs.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}

function isSign(sign: Sign | undefined, text: string): boolean {
  return sign?.quoted === false && sign.text === text;
}

function piecesOf(signs: readonly Sign[]): readonly Piece[] {
  const pieces: { kind: 'text'; text: string; quoted: boolean }[] = [];
  for (const { text, quoted } of signs) {
    const last = pieces.at(-1);
    if (last?.quoted === quoted) last.text += text;
    else pieces.push({ kind: 'text', text, quoted });
  }
  return pieces;
}

/** Judges a simple command. @throws UnreadableError when its text is not one. */
export function judgeSimple(range: Range, scope: Scope, context: Context): Flow {
  const text = readSimpleText(context.source, range.start, range.end);
  context.source.assertStartsWord(range.start);
  assertNotReserved(text, context);
  const doubts = [...scope.doubts, ...(assignsNothingSpecial(text) ? [] : [DOUBT.assignment])];
  const before = context.findings.commands.length;
  for (const value of text.values) {
    const word = judgeWord(value, scope, context);
    addLooseMentions(word, scope, context);
    // What a program is given by a variable may be a command that it runs: GIT_EDITOR, PAGER.
    if (text.words.length > 0 && /[\s;|&<>]/.test(word.text ?? word.beginning)) addWordMentions(word, ['read', 'write'], scope, context);
  }
  for (const assigned of text.lists) judgeAllWithin(assigned, context, scope);
  const words = text.words.flatMap(expandBraces).flatMap((word) => valuesOf(word, scope) ?? judgeWord(word, scope, context));
  const expanded = context.findings.since(before);
  const { links, doubts: more } = judgeRedirections(text.redirections, scope, context);
  doubts.push(...more);
  const written = context.source.text.slice(range.start, range.end);
  // Where its input and output go is then not what the pipeline says.
  const own = { ...scope, ...(text.redirections.length > 0 ? { input: undefined } : {}), links: expanded.length === 0 ? links : { ...links, expanded } };
  const { names, ...found } =
    words.length === 0 ? judgeWithoutWords(text, { written, doubts }, own, context) : invoke({ words, doubts, ...range }, own, context);
  const flow: Flow = text.redirections.length > 0 || names === undefined ? found : { ...found, names };
  return text.rest === undefined ? flow : judgeRest(text.rest, { flow, before }, scope, context);
}

/** Variables that only configure how and where something runs, with plain values. */
const INERT = new RegExp(
  String.raw`^(?:${anyOf(
    'CI|NODE_ENV',
    'FORCE_COLOR|NO_COLOR|CLICOLOR|COLUMNS|LINES',
    'LANG|LC_[A-Z]+|TZ',
    'DEBUG|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE|RUST_LOG',
    'RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|DJANGO_DEBUG',
    'NEXT_TELEMETRY_DISABLED|DO_NOT_TRACK',
  )})=[\w.:,-]*$`,
);

/** Whether a command has no assignments, or only those that change nothing of what runs. */
function assignsNothingSpecial({ assigns, values, lists, words, redirections }: SimpleText): boolean {
  if (!assigns) return true;
  const named = redirections.every(({ target }) => target !== undefined);
  return (
    named &&
    lists.length === 0 &&
    words.length > 0 &&
    values.length > 0 &&
    values.every(({ pieces }) => INERT.test(pieces.map((piece) => (piece.kind === 'text' && !piece.quoted ? piece.text : '$')).join('')))
  );
}

/** The values of a loop variable, where a word is just that variable in quotes: without quotes, the shell would split the values. */
function valuesOf({ pieces }: RawWord, { values }: Scope): readonly Word[] | undefined {
  const [variable, ...others] = pieces.filter((piece) => piece.kind !== 'text' || piece.text !== '');
  return variable?.kind === 'variable' && variable.quoted && others.length === 0 ? values?.get(variable.name) : undefined;
}

function assertNotReserved({ words }: SimpleText, { source }: Context): void {
  const written = words.map(({ start, end }) => source.text.slice(start, end).replaceAll('\\\n', ''));
  const firsts = PREFIXES.has(written[0] ?? '') ? written : written.slice(0, 1);
  if (firsts.some((word) => RESERVED.has(word))) unreadable();
}

/** Assignments and redirections alone. */
function judgeWithoutWords(text: SimpleText, { written, doubts }: { written: string; doubts: readonly string[] }, scope: Scope, context: Context): Flow {
  const onlyReads = text.redirections.every(({ operator }) => operator === '<');
  context.findings.addCommand({ source: written, words: [], readsOnly: onlyReads && doubts.length === 0, doubts, ...scope.links });
  return staysIn(scope.folders);
}

/** Judges the rest of the line of a here-document. */
function judgeRest({ operator, nodes }: HeredocRest, { flow, before }: { readonly flow: Flow; readonly before: number }, scope: Scope, context: Context): Flow {
  const folders = operator === '&&' ? flow.worked : operator === '||' ? flow.failed : scope.folders;
  const piped = operator.startsWith('|') && operator !== '||';
  let from = before;
  const flows = nodes.map((node) => {
    const input = context.findings.since(from);
    from += input.length;
    return context.statement(node, { ...scope, folders, ...(piped ? { links: { ...scope.links, input } } : {}) }, node.end);
  });
  if (piped) return staysIn(scope.folders);
  return staysIn(flows.reduce((all, next) => either(all, after(next)), after(flow)));
}
