import { anyOf } from '../../text/any-of.js';
import { countLines } from '../../text/lines.js';
import { commentAt, MOST_LINES, openingOf, PROSE, saidIn } from './comment-runs.js';

/** A line that stands for text that a model left out, such as `// ... existing code ...`. */
export interface Elision {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** A change of a text, and the name of its file. */
interface Rewritten {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** What of the new text a model wrote. Left out: all of it. */
  readonly written?: string;
}

/**
 * The first line that a model wrote in place of what it left out, whatever the length of the texts. A line that the old text has too is
 * meant literally, and so is code that prose quotes. Lines that may just as well be meant so, such as `// ...`, count only where the text
 * gets shorter.
 */
export function elisionIn({ name, before, after, written = after }: Rewritten): Elision | undefined {
  if (!HINT.test(written)) return undefined;
  const surrounding = { name, shrinks: countLines(after) < countLines(before) };
  const isSaid = PROSE.test(name) ? outsideOfCode() : () => true;
  const lines = written.split(/\r\n|\n|\r/);
  const read = lines.map(withUsualDots);
  const isNew = (line: string): boolean => hasLine(after, line) && !hasLine(before, line);
  for (const [index, line] of lines.entries()) {
    const plain = read[index] ?? '';
    if (!isSaid(line)) continue;
    if (HINT.test(line) && (isElision(plain, surrounding) || isShortAlone(read, index, name)) && isNew(line.trim()))
      return { line: index + 1, text: line.trim() };
    const comment = commentAt(read, index, { isProse: PROSE.test(name), markOf: (each) => openingOf(each.trim(), name) });
    if (comment === undefined || !HINT.test(comment.said) || comment.said.length > MOST_CHARACTERS) continue;
    const said = lines
      .slice(index, index + MOST_LINES)
      .find((each) => comment.lines.includes(withUsualDots(each.trim())) && isNew(each.trim()))
      ?.trim();
    // What goes on is documentation as often: `...rest of the options`. Of lines that are comments each, the last may be about the next line.
    const { leads, ends } = hasDots(comment.said);
    if (said !== undefined && (ends || !leads) && saysLeftOut(comment.said, comment.isBlock && surrounding.shrinks)) return { line: index + 1, text: said };
  }
  return undefined;
}

/** Some write the dots higher, or one above the other. */
function withUsualDots(line: string): string {
  return line.replace(/[⋯⋮]/g, '…');
}

/** Matches every line that stands for omitted text: a quick test for all others. */
const HINT = new RegExp(
  anyOf(
    /\.{3}|[…⋯⋮]/,
    'unchanged|untouched|unmodified|change|rest|remain|existing|previous|original|other|same',
    'omitted|truncated|elided|snip|skipped|left out|not shown|everything|brevity',
  ),
  'i',
);
/** Says of each line of prose, in order, whether it is outside of quoted code. */
function outsideOfCode(): (line: string) => boolean {
  let fence: string | undefined;
  return (line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
    return false;
  };
}

function hasLine(text: string, wanted: string): boolean {
  return text.includes(wanted) && text.split(/\r\n|\n|\r/).some((line) => line.trim() === wanted);
}

/** Brackets around the whole of a text. */
const BRACKETS = /^[[(<{].*[\])>}]$/;
/** Words that are no comment, in brackets, behind dots, or between them: more than one, and nothing that code has between them. */
const BARE = /^(?:[[(](?=.*\s)[\p{L}\p{N}\s.…'’-]+[\])]|(?:\.{3,}\s|…)(?=.*\p{L}).+|\.{3,}(?!others?\b)[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+)+(?:\.{3,}|…))$/u;

/** What says that something was there before. */
const KEPT = words(
  'rest remainder remaining existing previous previously original other others same unchanged old current earlier unmodified untouched omitted everything ' +
    'truncated elided snip snipped',
);
/** What can have been there. */
const THINGS = words(
  'code codes file files content contents function functions method methods implementation implementations class classes import imports line ' +
    'lines logic test tests prop props property properties field fields style styles rule rules route routes handler handlers definition ' +
    'definitions declaration declarations statement statements body block blocks section sections config configuration option options entry ' +
    'entries item items case cases variable variables constant constants type types interface interfaces component components markup html css ' +
    'text document module modules script scripts program setup element elements attribute attributes key keys value values data part parts helper ' +
    'helpers export exports member members hook hooks struct structs enum enums macro macros query queries table tables column columns row rows ' +
    'page template view model models package packages dependency dependencies stuff',
);
/** What says that it is to stay as it was. */
const STAYS = words(
  'unchanged same omitted here above below stay stays remain remains before is intact untouched unmodified shown brevity goes go truncated elided snip ' +
    'snipped kept keep leave as no change changes',
);
const FILLER = words('the of this your my our a an all any more are in from and to with not for be it that these those its their left out at');
/** What a file is made of as a whole. */
const WHOLE = words(
  'code file content contents function method implementation class component module script document program template styles imports body logic page',
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Where a line is, beside what it says. */
interface Surrounding {
  readonly name: string;
  readonly shrinks: boolean;
}

/** Whether a line stands for omitted text: all of it is a comment, or in brackets, or begins with dots. */
function isElision(line: string, surrounding: Surrounding): boolean {
  const plain = line.trim();
  if (plain.length > MOST_CHARACTERS) return false;
  const { name, shrinks } = surrounding;
  if (JSON_FILE.test(name) && isMember(plain, shrinks)) return true;
  const opening = openingOf(plain, name);
  if (opening === undefined) return isBare(plain, surrounding) || isWithin(plain, surrounding);
  const said = saidIn(plain, opening);
  // A line within a long comment may go on with what the one before it says, or quote code that has such a line.
  return opening.startsWith('*') ? hasDots(said).ends && !/^(?:\/\/|#)\P{L}*$/u.test(said) && isPhrase(said, shrinks) : saysLeftOut(said, shrinks);
}

/** What stands before what is to be noted. */
const LABEL = /^[\s([{<-]*(?:note|nb|info|hint|important|remark|attention|warning|(todo|fixme|xxx))\b\s*(?:\([^)]{0,40}\)\s*)?[:–—-]+\s*/i;

/** Whether a whole comment says that something was left out, be it as a note. */
function saysLeftOut(said: string, shrinks: boolean): boolean {
  const label = LABEL.exec(said);
  // What is to be done, and not what was left out: `TODO: the rest of the page`.
  const isTask = label?.[1] !== undefined;
  return isPhrase(said, shrinks) || (label !== null && isPhrase(said.slice(label[0].length), shrinks && !isTask));
}

/** What is around a line of prose or of a list: marks of quotes and lists, and emphasis. */
const FRAME = /^(?:>\s*)*(?:[-+*]\s+|\d+[.)]\s+)?(?:([*_]{1,3})(.*)\1|(.*))$/;
/** Rows of tables in which all cells are dots. */
const CELLS = /^[|,;\t ]*(?:(?:\.{3}|…)[|,;\t ]+)+(?:\.{3}|…)?$/;

/** Whether a line that is no comment stands for omitted text: it begins with dots, or is in brackets. */
function isBare(plain: string, { name, shrinks }: Surrounding): boolean {
  if (BARE.test(plain) && isPhrase(plain, shrinks)) return true;
  const isProse = PROSE.test(name);
  if (shrinks && (isProse || /\.[ct]sv$/i.test(name)) && CELLS.test(plain)) return true;
  if (!isProse && !/\.ya?ml$/i.test(name)) return false;
  const [, emphasis, emphasized = '', rest = ''] = FRAME.exec(plain) ?? [];
  const inner = emphasis === undefined ? rest : emphasized;
  if (inner === plain) return false;
  const { leads, ends } = hasDots(inner);
  return (BARE.test(inner) && (BRACKETS.test(inner) || (leads && ends)) && isPhrase(inner, shrinks)) || (emphasis !== undefined && saysLeftOut(inner, false));
}

/** Files of JSON, which has no comments: models write some as members. */
const JSON_FILE = /\.(?:json[5cl]?|jsonl|geojson|webmanifest|ipynb|har)$/i;
/** Keys that stand for a comment. */
const COMMENT_KEY = /^(?:\/\/+.*|#+.*|[_$]*comments?|[_$]*note|_+)$/i;

/** Values that say nothing. */
const NOTHING = /^(?:"[\s.…]*"|true|null|\{\s*\}?|\[\s*\])$/;

/** Whether a line is a text, or a member, that stands for others. */
function isMember(plain: string, shrinks: boolean): boolean {
  const [, first = '', value] = /^\{?\s*"((?:[^"\\]|\\.)*)"\s*(?::\s*(.*?))?\s*\}?,?$/.exec(plain) ?? [];
  if (first === '') return false;
  const key = first.replace(/^(?:\/\/+|#+|\/\*+)\s*|\s*\*\/$/g, '');
  const { leads, ends } = hasDots(key);
  // A text among others that begins or ends with dots may be meant: only one with both does not say anything else.
  if (value === undefined) return (key !== first || (leads && ends)) && saysLeftOut(key, shrinks);
  const said = /^"(.*)"$/.exec(value)?.[1] ?? '';
  if (COMMENT_KEY.test(first)) return saysLeftOut(key, shrinks) || saysLeftOut(said, shrinks);
  // A key of dots alone is no text: what it stands for needs no dots of its own.
  if (leads && ends && !/\p{L}/u.test(key) && saysWhatIsKept(said)) return true;
  if (leads && ends) return isPhrase(key, shrinks && NOTHING.test(value)) || isPhrase(said, false);
  const dots = hasDots(said);
  return dots.leads && dots.ends && isPhrase(said, false);
}

/** Comments within a line of code. */
const WITHIN = /\/\*+(.*?)\*+\/|<!--+(.*?)--+>/g;
/** One at its end, which may well be meant so unless it says what is kept. */
const BEHIND = /\S\s+(?:\/\/+|#+|--+)\s+(.*)$/g;
/** A body that is a comment only. */
const BODY = /\{\s*\/\*+([^*]*)\*+\/\s*\}/;
/** A body, or a whole line, of nothing but dots. */
const DOTS = /\{\s*(?:\.{3}|…)\s*\}[;,)]*$|^(?:\.{3}|…)$/;
/** Where such dots are no code; in Python, Perl, and YAML they are. */
const NO_DOTS = /\.(?:[cm]?[jt]sx?|java|kts?|c|h|cc|cpp|hpp|cs|go|rs|swift|php|css|scss|less|json|vue|svelte|sql)$/i;

/** Whether code has such a comment within it, as in `function a() { … }`, or such a body. */
function isWithin(plain: string, { name, shrinks }: Surrounding): boolean {
  if (PROSE.test(name)) return false;
  if (shrinks && NO_DOTS.test(name) && DOTS.test(plain)) return true;
  const body = BODY.exec(plain)?.[1]?.trim();
  if (body !== undefined && (SAYS_LITTLE.test(body.toLowerCase()) || isPhrase(body, shrinks))) return true;
  const behind = [...plain.matchAll(BEHIND)].map(([, said = '']) => said);
  // Of the kinds of marks only one fits.
  const within = [...plain.matchAll(WITHIN)].map(([, ...kinds]) => kinds.join('').trim());
  return [...within, ...behind.filter((said) => shrinks || saysWhatIsKept(said))].some((said) => {
    const { leads, ends } = hasDots(said);
    return (
      leads &&
      ends &&
      isPhrase(said, false) &&
      said
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .some((word) => KEPT.has(word))
    );
  });
}

/** Whether all words are of those that omissions have, and name what was there before. */
function saysWhatIsKept(said: string): boolean {
  const list = said.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return (
    list.every((word) => [KEPT, THINGS, STAYS, FILLER].some((known) => known.has(word))) &&
    list.some((word) => KEPT.has(word)) &&
    list.some((word) => THINGS.has(word))
  );
}

/** The shortest that models write where a file is to stay as it is, in whole: `existing imports`, `rest of your code`, `keep the rest as is`. */
const SHORT = new RegExp(
  `^(?:${anyOf(
    /(?:the |your )?existing (?:code|imports|jsx|markup|html|css|styles|logic|implementation)(?: here)?/,
    `(?:the )?(?:rest|remainder) of (?:the|your|this) (?:${anyOf(
      'code|file|page|class|component|implementation|module|document|script|template|program|app',
      'styles|stylesheet|markup|html|css|jsx',
    )})`,
    /(?:keep|leave) (?:the )?(?:rest|remainder|everything else) (?:as is|as it is|as-is|unchanged|the same|intact|untouched)/,
  )})[.:]?$`,
  'i',
);

/** Whether a line is such a comment, and not a part of a longer one. */
function isShortAlone(lines: readonly string[], index: number, name: string): boolean {
  const markAt = (at: number): string | undefined => openingOf((lines[at] ?? '').trim(), name)?.trim();
  const plain = (lines[index] ?? '').trim();
  const opening = openingOf(plain, name);
  if (opening === undefined || opening.startsWith('*') || !SHORT.test(saidIn(plain, opening))) return false;
  return ![markAt(index - 1), markAt(index + 1)].includes(opening.trim());
}

/** More dots than anyone puts for what is left out. */
const RULE = /\.{7}/;
/** Characters of the longest such line. */
const MOST_CHARACTERS = 160;

function hasDots(phrase: string): { readonly leads: boolean; readonly ends: boolean } {
  return { leads: /^[\s([{<-]*(?:\.{3,}|…)/.test(phrase), ends: /(?:\.{3,}|…)[\s)\]}>-]*$/.test(phrase) };
}

/** Whether a comment, without its marks, or a line with dots or brackets says that something was left out. */
function isPhrase(phrase: string, shrinks: boolean): boolean {
  const { leads, ends } = hasDots(phrase);
  const found = phrase.toLowerCase().match(/[\p{L}\p{N}_$’'-]+/gu) ?? [];
  const said = found.map((word) => word.replace(/^[-'’]+|[-'’]+$/g, '')).filter((word) => word !== '');
  // A long row of dots is a rule across the page.
  if (said.length === 0) return shrinks && (leads || ends) && !RULE.test(phrase);
  const unknown = said.filter((word) => ![KEPT, THINGS, STAYS, FILLER].some((known) => known.has(word))).length;
  const [kept, thing] = [said.some((word) => KEPT.has(word)), said.some((word) => THINGS.has(word))];
  const last = said.at(-1) ?? '';
  if (leads && ends) return shrinks || (unknown <= 2 && (kept || thing || said.includes('changes')));
  if (leads && shrinks && unknown <= 1 && KEPT.has(said.find((word) => !FILLER.has(word)) ?? '')) return true;
  if (leads && unknown <= 1 && kept && (THINGS.has(last) || STAYS.has(last) || KEPT.has(last) || /^(?:the )?rest of\b/.test(said.join(' ')))) return true;
  if (ends && unknown === 0 && kept && thing) return true;
  if (BRACKETS.test(phrase) && unknown === 0 && kept && said.some((word) => THINGS.has(word) || STAYS.has(word))) return true;
  return isSentence(said.join(' '), unknown, shrinks);
}

/** `The rest of the file stays the same`, `existing code here`, `code omitted for brevity`. */
const BEGINS = /^(?:keep |leave )?(?:(?:the )?(?:rest|remainder) of\b|(?:the |all |your )?(?:remaining|existing|previous|original|other)\b)/;
const ENDS = new RegExp(
  ' (?:unchanged|same|omitted|here|as before|as is|intact|untouched|unmodified|truncated|not shown|as they are)' +
    String.raw`(?: for brevity| as before| here| (?:from|as in) (?:the |your )?(?:original|existing|current|previous|old)(?: \w+)?)?$`,
);
const LEFT_OUT = /\b(?:omitted|truncated|elided|snipped|skipped|left out|not shown)(?: here)? for brevity$/;
/** What may as well be said of something else: `rest of the file`, `unchanged`. */
const SAYS_LITTLE = new RegExp(
  `^(?:${anyOf(
    /everything (?:else|above|below|after this) (?:is|stays|remains) (?:the same|unchanged|as is|untouched)/,
    /(?:the )?(?:rest|remainder) (?:is|stays|remains) (?:the same|unchanged|as is|as before|untouched)/,
    /no (?:further )?changes? (?:above|below|after|before)(?: this)?(?: line| point)?/,
    /lines? \d+(?:-\d+| to \d+)? (?:are |is |remain |stay )?(?:the )?(?:unchanged|same|omitted)/,
    /unchanged|no changes?(?: here| needed)?/,
    /same as (?:before|above)/,
    /(?:code |content )?omitted(?: for brevity)?/,
  )})$`,
);

/** Whether words without dots say so; where the text gets shorter, fewer of them do. */
function isSentence(said: string, unknown: number, shrinks: boolean): boolean {
  const list = said.split(' ');
  if (unknown <= 2 && LEFT_OUT.test(said)) return true;
  if (unknown <= 1 && BEGINS.test(said) && ENDS.test(said)) return list.some((word) => THINGS.has(word));
  return shrinks && ((unknown === 0 && BEGINS.test(said) && WHOLE.has(list.at(-1) ?? '')) || SAYS_LITTLE.test(said));
}
