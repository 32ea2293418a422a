import { expandBraces } from '../words/braces.js';
import type { Context, Range, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import { judgeAllWithin } from '../words/expansions.js';
import { type Flow, after, either, staysIn } from '../folders.js';
import type { HeredocRest } from '../statements/heredoc.js';
import { invoke } from './invoke.js';
import { judgeWord } from '../words/judge-word.js';
import { addLooseMentions, addWordMentions } from './mentions.js';
import { judgeRedirections } from '../statements/redirections.js';
import { type SimpleText, readSimpleText } from '../words/simple-text.js';
import { unreadable } from '../unreadable.js';
import type { RawWord, Word } from '../words/word.js';

/** Reserved words where a command begins. The grammar sometimes misses them. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'in'],
  ...['select', 'function', '{', '}', '!', '[[', ']]'],
]);
/** Words that may precede a command. */
const PREFIXES: ReadonlySet<string> = new Set(['time', 'coproc']);

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
const INERT =
  /^(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ|DEBUG|VERBOSE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE|RUST_LOG|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|DJANGO_DEBUG|NEXT_TELEMETRY_DISABLED|DO_NOT_TRACK)=[\w.:,-]*$/;

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

/** What the line of a here-document continues with. */
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
