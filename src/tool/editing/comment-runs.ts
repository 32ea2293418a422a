/** A comment over several lines. */
export interface Comment {
  /** All its words, on one line. */
  readonly said: string;
  /** Its lines that say something. */
  readonly lines: readonly string[];
  /** Whether one pair of marks is around it; otherwise each line has a mark of its own. */
  readonly isBlock: boolean;
}

/** How comments are written in a file. */
interface Dialect {
  readonly isProse: boolean;
  /** What begins the comment that a line is; `undefined` where it is none. */
  readonly markOf: (line: string) => string | undefined;
}

/**
 * What begins and ends comments over several lines: C and its kin, JSX, HTML, Python, Handlebars, Blade, Liquid, Go templates, JSP, ERB, Razor, Smarty,
 * OCaml and Pascal, Haskell, Jinja, PowerShell, Lua, Lisp, Julia, D, Ruby, Perl, MATLAB, LaTeX, AsciiDoc.
 */
const BLOCKS: readonly (readonly [opening: string, closing: string])[] = [
  ['{{!--', '--}}'],
  ['{{--', '--}}'],
  ['{% comment %}', '{% endcomment %}'],
  ['{%- comment -%}', '{%- endcomment -%}'],
  ['{{- /*', '*/ -}}'],
  ['{{/*', '*/}}'],
  ['{{!', '}}'],
  ['<%--', '--%>'],
  ['<%#', '%>'],
  ['{/*', '*/}'],
  ['{ /*', '*/ }'],
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['@*', '*@'],
  ['{*', '*}'],
  ['(*', '*)'],
  ['{-', '-}'],
  ['{#', '#}'],
  ['<#', '#>'],
  ['--[[', ']]'],
  ['--[=[', ']=]'],
  ['#|', '|#'],
  ['#=', '=#'],
  ['/+', '+/'],
  ['=begin', '=end'],
  ['=pod', '=cut'],
  ['%{', '%}'],
  ['\\begin{comment}', '\\end{comment}'],
  ['////', '////'],
];
/** Those that prose can have. */
const OF_PROSE: ReadonlySet<string> = new Set(['<!--', '{/*', '////']);
/** Lines of the longest comment that says no more than that something was left out. */
export const MOST_LINES = 6;
const MOST_IN_A_ROW = 3;
/** What is before each line of a block, and around its words. */
const DECORATION = /^[\s*|#;!~=+-]+|[\s*=~+-]+$/g;

/** The comment over several lines that begins at an index, where it is a short one; `undefined` where there is none. */
export function commentAt(lines: readonly string[], index: number, dialect: Dialect): Comment | undefined {
  return blockAt(lines, index, dialect) ?? rowAt(lines, index, dialect);
}

function blockAt(lines: readonly string[], index: number, { isProse }: Dialect): Comment | undefined {
  const first = (lines[index] ?? '').trim();
  const [opening, closing] = BLOCKS.find(([each]) => first.startsWith(each) && (!isProse || OF_PROSE.has(each))) ?? [];
  if (opening === undefined || closing === undefined || first.slice(opening.length).includes(closing)) return undefined;
  const rest = lines.slice(index + 1, index + MOST_LINES).map((line) => line.trim());
  const end = rest.findIndex((line) => line.includes(closing));
  const last = rest[end];
  if (last === undefined || !last.endsWith(closing)) return undefined;
  const inside = [first.slice(opening.length), ...rest.slice(0, end), last.slice(0, -closing.length)];
  return comment([first, ...rest.slice(0, end + 1)], inside, true);
}

/** Comments of one line each, one behind the other. */
function rowAt(lines: readonly string[], index: number, { isProse, markOf }: Dialect): Comment | undefined {
  const markAt = (at: number): string | undefined => markOf(lines[at] ?? '')?.trim();
  const mark = markAt(index);
  if (isProse || mark === undefined || !/^(?:\/\/+[!-]?|#+|--+|;+|%+|'|!|"|REM|::|dnl)$/i.test(mark) || markAt(index - 1) === mark) return undefined;
  let end = index + 1;
  while (end < lines.length && end - index <= MOST_IN_A_ROW && markAt(end) === mark) end += 1;
  if (end - index < 2 || end - index > MOST_IN_A_ROW) return undefined;
  const row = lines.slice(index, end).map((line) => line.trim());
  return comment(
    row,
    row.map((line) => line.slice(mark.length)),
    false,
  );
}

function comment(lines: readonly string[], inside: readonly string[], isBlock: boolean): Comment {
  const words = inside.map((line) => line.replace(DECORATION, ''));
  return { said: words.filter((each) => each !== '').join(' '), lines: lines.filter((_, index) => words[index] !== ''), isBlock };
}
