import { anyOf } from '../../../text/any-of.js';

/**
 * Parts of the shell that set variables whose names need not be in the text, or not as separate words: computed, behind an option in one word,
 * or always the same ones. `read` counts where it is given more than names. Source: bash(1), SHELL BUILTIN COMMANDS, Parameters.
 */
const SETS_ANY = new RegExp(
  anyOf(
    String.raw`(?<![\w./-])(?:${anyOf(
      /printf\s{1,20}(?:--\s{1,20})?-/,
      /read\s{1,20}-(?!r\s)|read\b[^;&|\n]{0,200}[$`*?{]/,
      /wait\s{1,20}-/,
      String.raw`(?:${anyOf(
        'getopts|mapfile|readarray',
        'declare|typeset|local|export|readonly|let|unset',
        'eval|source|coproc|select|alias|trap|enable|shopt|set',
      )})(?![\w-])`,
    )})`,
    // A dot, which is `source`, where a command begins.
    /(?:^|[;&|({!]|\b(?:do|then|else|if|elif|while|until|time|command|builtin)) {0,20}\.\s/,
    // Arithmetic, names with escapes in them, and names behind names.
    /\(\(|\$\[|\$'[^']{0,200}\\[xuUc0-7]|\$\{!/,
  ),
  'm',
);
/** Joins the pieces of a word: names do not contain them. */
const QUOTES = /\\\n|["'\\]/g;

/** Says which variables a text may set: of these no value is known. */
export class AssignedNames {
  private readonly texts: readonly string[];
  private readonly any: boolean;
  private readonly known = new Map<string, boolean>();
  private readonly outer: AssignedNames | undefined;

  /** @param outer of the text around this one. */
  constructor(text: string, outer?: AssignedNames) {
    this.texts = [text, text.replace(QUOTES, '')];
    this.any = this.texts.some((written) => SETS_ANY.test(written));
    this.outer = outer;
  }

  /** Whether the text names a variable in another way than behind `$`: then it may set it. */
  names(name: string): boolean {
    return this.mentions(name, true) || this.outer?.names(name) === true;
  }

  /** Whether a variable that a loop sets may be set by something else as well, also by code known only at run time. */
  resets(name: string): boolean {
    return this.any || this.mentions(name, false) || this.outer?.resets(name) === true;
  }

  private mentions(name: string, loops: boolean): boolean {
    const key = `${name} ${loops}`;
    const found = this.known.get(key) ?? this.texts.some((text) => mentions(text, name, loops));
    this.known.set(key, found);
    return found;
  }
}

/** A name behind a slash, a dot or a dash is not that of a variable: `src/f.ts`, `[ -f x ]`. */
function mentions(text: string, name: string, loops: boolean): boolean {
  const free = new RegExp(`(?<![\\w$/.-]|\\$\\{#?${loops ? '' : '|\\bfor[ \\t]{1,20}'})${name}(?!\\w)`);
  return free.test(text) || new RegExp(`\\$\\{${name}(?:\\[[^\\]]{0,200}\\])?:?=`).test(text);
}
