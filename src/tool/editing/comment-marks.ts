/** Files of prose, in which code is quoted between fences, and `#` begins a heading. */
export const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc)$/i;

/**
 * What begins a comment: in C and its kin, shells, SQL and Lua, Lisp and assembler, TeX and Erlang, HTML, templates (JSX, Handlebars, Blade,
 * Jinja, Liquid, ERB, JSP, Razor, Smarty), OCaml and Pascal, Haskell, Julia, batch files, COBOL, Haml, Pug, PowerShell, roff, APL, and
 * documentation of Python.
 */
const COMMENT = new RegExp(
  `^(?:${[
    /\/\/+[!-]?|\{\s*\/\*+|\/\*+!?|\*>|\*+|<!--+|<#|\{#-?|\{\{!?--|\{\{!|<%--|<%#|@\*|\{\*+|\(\*+|\{-|--\[=*\[|--+|-#/,
    /\{%-?\s*(?:comment\s*-?%\}|#)|#+[|!:=]?|;+|%+[{%]?|REM\b|::|'{3}|"{3}|dnl\b|[.']\\"|⍝+/,
  ]
    .map(({ source }) => source)
    .join('|')})\\s*`,
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
