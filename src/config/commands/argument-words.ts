import { t } from '../../domain/l10n.js';
import { showName } from '../../text/show.js';

/** The shell that a command line is for. */
export type CommandShell = 'bash' | 'powershell';

/** Arguments that can be named by a number. */
export const MAX_ARGUMENTS = 99;

/**
 * A word in double quotation marks, in which `\"` and `\\` stand for themselves, one in single ones, or anything up to a white space.
 * A quotation mark counts only at the start of a word, and if the word ends with another: `don't` is a word.
 */
const WORD = /"((?:[^"\\]|\\[\s\S])*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g;
/** Texts that a shell takes as one word without quoting. */
const PLAIN_WORD: Readonly<Record<CommandShell, RegExp>> = { bash: /^[\p{L}\p{N}_./:@%+=,-]+$/u, powershell: /^[\p{L}\p{N}_./:=+-]+$/u };
/** Syntax that makes the context of an argument in a shell command ambiguous. */
const UNCERTAIN = /[\\`#]|\$[({']|<<|[<>]\(/;

/** The arguments that are typed behind a command, in their order; of very many, the first ones. */
export function argumentWords(typed: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, bare] of typed.matchAll(WORD)) {
    if (words.length === MAX_ARGUMENTS) break;
    words.push(double?.replace(/\\(["\\])/g, '$1') ?? single ?? (bare ?? '').replace(/\\(["'\\])/g, '$1'));
  }
  return words;
}

/**
 * A command line that is put together from what its author wrote, and of arguments. Arguments are never more than words to the shell:
 * they are quoted as it is needed where they stand.
 */
export class ArgumentQuoting {
  private line = '';
  /** Text of the author so far. */
  private written = '';

  constructor(private readonly shell: CommandShell) {}

  /** The command line so far. */
  get command(): string {
    return this.line;
  }

  /** Adds what the author of the command wrote. */
  write(text: string): void {
    this.line += text;
    this.written += text;
  }

  /**
   * Adds arguments. @param whole the same as one text, for within quotation marks
   * @throws Error with a sentence for the user where it is not certain that the shell would take them as they are
   */
  add(words: readonly string[], whole = words.join(' ')): void {
    const quote = openQuote(this.written);
    if (quote === undefined && words.every((word) => this.isPlain(word))) this.line += words.join(' ');
    else if (quote !== undefined && (whole === '' || this.isPlain(whole))) this.line += whole;
    else if (UNCERTAIN.test(this.written) || whole.includes('\0') || (this.shell === 'powershell' && quote !== undefined)) {
      throw new Error(
        t(
          '“{0}” cannot be used as an argument in the command {1}: it has characters that mean something to the shell there.',
          showName(whole),
          showName(this.written.trim()),
        ),
      );
    } else if (quote === undefined) this.line += words.map((word) => this.quoted(word)).join(' ');
    else this.line += quote === '"' ? whole.replace(/["\\$`]/g, String.raw`\$&`) : whole.replaceAll("'", String.raw`'\''`);
  }

  private isPlain(word: string): boolean {
    return PLAIN_WORD[this.shell].test(word);
  }

  private quoted(word: string): string {
    if (this.isPlain(word)) return word;
    return `'${word.replaceAll("'", this.shell === 'bash' ? String.raw`'\''` : "''")}'`;
  }
}

/** The quotation mark that is open at the end of a command line without escapes. */
function openQuote(line: string): '"' | "'" | undefined {
  let open: '"' | "'" | undefined;
  for (const character of line) {
    if (character !== '"' && character !== "'") continue;
    if (open === undefined) open = character;
    else if (open === character) open = undefined;
  }
  return open;
}
