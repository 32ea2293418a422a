import { anyOf } from '../../text/any-of.js';

/** Files of prose, in which code is quoted between fences, and `#` begins a heading. */
export const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc)$/i;

/**
 * What begins a comment: in C and its kin, shells, SQL and Lua, Lisp and assembler, TeX and Erlang, HTML, templates (JSX, Handlebars, Blade,
 * Jinja, Liquid, ERB, JSP, Razor, Smarty), OCaml and Pascal, Haskell, Julia, batch files, COBOL, Haml, Pug, PowerShell, roff, APL, and
 * documentation of Python.
 */
const COMMENT = new RegExp(
  `^(?:${anyOf(
    /\/\/+[!-]?|\{\s*\/\*+|\/\*+!?|\*>|\*+|<!--+|<#|\{#-?|\{\{!?--|\{\{!|<%--|<%#|@\*|\{\*+|\(\*+|\{-|--\[=*\[|--+|-#/,
    /\{%-?\s*(?:comment\s*-?%\}|#)|#+[|!:=]?|;+|%+[{%]?|REM\b|::|'{3}|"{3}|dnl\b|[.']\\"|⍝+/,
  )})\\s*`,
  'i',
);
/** What begins a comment in some languages, and a text, or code, in all others. */
const COMMENT_IN: readonly (readonly [files: RegExp, mark: RegExp])[] = [
  [/\.(?:vb|vbs|bas|cls|frm|asp)$/i, /^'+\s*/],
  [/\.(?:vim|vimrc|abap)$/i, /^"\s*/],
  [/\.(?:f|for|f77|f90|f95|f03|f08)$/i, /^!+\s*/],
  [/\.di?$/i, /^\/\++\s*/],
  [/\.(?:pas|pp|dpr|dpk|lpr)$/i, /^\{\s*/],
  [/\.(?:s|asm)$/i, /^[@|]+\s*/],
  [/\.(?:fs|fth|4th|forth|frt)$/i, /^\\\s+/],
];
/** What begins one in prose. */
const PROSE_COMMENT = /^(?:<!--+|\{\s*\/\*+)\s*/;
const PROSE_COMMENT_IN: readonly (readonly [files: RegExp, mark: RegExp])[] = [
  [/\.rst$/i, /^\.\.\s+/],
  [/\.(?:adoc|asciidoc)$/i, /^\/\/+\s*/],
];
/** What ends one. */
const COMMENT_END = /\s*(?:\*+\/\s*\}?|--+%?>|#>|-?#\}|--\}\}|\}\}|\{%-?\s*endcomment\s*-?%\}|-?%\}|%>|\*@|\*+\}|\*+\)|-\}|\]=*\]|\|#|=#|\++\/|'{3}|"{3})?\s*$/;

/** What begins the comment that a line is; `undefined` where it is none. */
export function openingOf(plain: string, name: string): string | undefined {
  const isProse = PROSE.test(name);
  const [opening] = (isProse ? PROSE_COMMENT : COMMENT).exec(plain) ?? [];
  return opening ?? (isProse ? PROSE_COMMENT_IN : COMMENT_IN).find(([files]) => files.test(name))?.[1].exec(plain)?.[0];
}

/** What a comment says, without its marks. */
export function saidIn(comment: string, opening: string): string {
  const said = comment.slice(opening.length).replace(COMMENT_END, '');
  return opening.trim() === '{' ? said.replace(/\s*\}$/, '') : said;
}

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
