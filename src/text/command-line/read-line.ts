import type { SimpleCommand, Word } from './word.js';

/** Variables by name; what is not among them is not known. */
export type Variables = ReadonlyMap<string, string>;

/** Characters of a line, and commands in it, that are read. */
const MAX_LENGTH = 20_000;
const MAX_COMMANDS = 200;
/** Levels of substitutions within each other. */
const MAX_DEPTH = 20;
/** Characters that split or expand the value of an unquoted variable. */
const SPLIT = /[\s*?[\]\\]/;
/** Keywords whose syntax is not that of commands. */
const OTHER_SYNTAX = /^(?:case|esac|select|function|coproc)$/;

/** Thrown where a line has something that is not read; never leaves this file. */
class Unread extends Error {}

/**
 * Reads a line for a POSIX shell or Bash into all the commands in it, whatever order they run in, also those of substitutions. It knows less
 * than a shell and says so: what it cannot read makes it give up.
 * Source: POSIX.1-2017, Shell Command Language, 2.2 (quoting), 2.6 (expansions), 2.10 (grammar); bash(1).
 * @param home what `~` stands for
 * @returns `undefined` for a line that could not be read
 */
export function readLine(text: string, variables: Variables, home?: string): readonly SimpleCommand[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const reader = new LineReader(text, variables, home);
  try {
    reader.commands('end', 0);
    return reader.found;
  } catch (error) {
    if (error instanceof Unread) return undefined;
    throw error;
  }
}

interface GrowingWord {
  start: number;
  value: string;
  known: boolean;
}

interface GrowingCommand {
  readonly assignments: { readonly name: string; readonly value: Word }[];
  readonly words: Word[];
  readonly inputs: Word[];
  readonly outputs: Word[];
}

class LineReader {
  readonly found: SimpleCommand[] = [];
  private at = 0;
  private word: GrowingWord | undefined;
  private command = emptyCommand();
  /** Role of the next word: an argument, or a redirection. */
  private target: 'words' | 'inputs' | 'outputs' | 'text' = 'words';

  constructor(
    private readonly text: string,
    private readonly variables: Variables,
    private readonly home: string | undefined,
  ) {}

  /** Reads commands up to the end of the line or of a substitution, which is read, too. */
  commands(until: 'end' | ')', depth: number): void {
    if (depth > MAX_DEPTH) throw new Unread();
    let open = 0;
    for (;;) {
      const next = this.text.charAt(this.at);
      if (next === '') {
        this.endCommand();
        if (until !== 'end' || open > 0) throw new Unread();
        return;
      }
      if (next === until && open === 0) {
        this.endCommand();
        this.at += 1;
        return;
      }
      if (next === '(') open += 1;
      if (next === ')') open -= 1;
      if (open < 0) throw new Unread();
      this.step(next, depth);
    }
  }

  private step(next: string, depth: number): void {
    if (next === '#' && this.word === undefined) {
      const end = this.text.indexOf('\n', this.at);
      this.at = end === -1 ? this.text.length : end;
    } else if (/[ \t]/.test(next)) {
      this.endWord();
      this.at += 1;
    } else if (next === '<' || next === '>' || this.text.startsWith('&>', this.at)) {
      this.redirection(depth);
    } else if (/[\n;&|()]/.test(next)) {
      this.endCommand();
      this.at += 1;
    } else {
      this.part(next, depth, false);
    }
  }

  /** Reads one part of a word. */
  private part(next: string, depth: number, quoted: boolean): void {
    this.word ??= { start: this.at, value: '', known: true };
    if (next === '\\') this.escaped(quoted);
    else if (next === '$') this.expansion(depth, quoted);
    else if (next === '`') this.backticks(depth);
    else if (!quoted && next === "'") this.literal();
    else if (!quoted && next === '"') this.quoted(depth);
    else this.plain(next, quoted);
  }

  private plain(next: string, quoted: boolean): void {
    const isFirst = this.word?.value === '' && this.word.start === this.at;
    this.at += 1;
    if (quoted) this.add(next);
    else if (next === '~' && isFirst) this.tilde();
    else if (next === '[' && isFirst) this.bracket();
    // `{` alone and `{}` are no patterns.
    else if (/[*?[]/.test(next) || (next === '{' && !/^(?:$|[\s;}])/.test(this.text.slice(this.at)))) this.unknown();
    else this.add(next);
  }

  private tilde(): void {
    if (this.home !== undefined && /^(?:$|[/\s;&|<>()])/.test(this.text.slice(this.at))) this.add(this.home);
    else this.unknown();
  }

  /** `[` and `[[` are programs where they stand alone. */
  private bracket(): void {
    const alone = /^\[?(?=$|[\s;&|)])/.exec(this.text.slice(this.at))?.[0];
    if (alone === undefined) return this.unknown();
    this.at += alone.length;
    this.add(`[${alone}`);
  }

  private escaped(quoted: boolean): void {
    const next = this.text.charAt(this.at + 1);
    if (next === '') throw new Unread();
    this.at += 2;
    if (next === '\n') return;
    this.add(!quoted || /[$`"\\]/.test(next) ? next : `\\${next}`);
  }

  private literal(): void {
    const end = this.text.indexOf("'", this.at + 1);
    if (end === -1) throw new Unread();
    this.add(this.text.slice(this.at + 1, end));
    this.at = end + 1;
  }

  private quoted(depth: number): void {
    this.at += 1;
    for (;;) {
      const next = this.text.charAt(this.at);
      if (next === '') throw new Unread();
      if (next === '"') break;
      this.part(next, depth, true);
    }
    this.at += 1;
  }

  private expansion(depth: number, quoted: boolean): void {
    const rest = this.text.slice(this.at);
    const [name, braced] = [/^\$([A-Za-z_]\w*)/.exec(rest), /^\$\{([A-Za-z_]\w*)(?:(:?[-=?+])([^{}$`"'\\]*))?\}/.exec(rest)];
    const [found] = name ?? braced ?? [];
    if (rest.startsWith('$(')) return this.substitution(2, depth);
    if (found !== undefined) {
      this.at += found.length;
      return this.variable((name ?? braced)?.[1] ?? '', { operator: braced?.[2] ?? '', other: braced?.[3] ?? '', quoted });
    }
    if (!quoted && rest.startsWith("$'")) return this.skip(/^\$'(?:[^'\\]|\\.)*'/s);
    if (rest.startsWith('${')) return this.skip(/^\$\{[^{}$`"'\\()]*\}/);
    if (!quoted && rest.startsWith('$"')) {
      this.at += 1;
      return;
    }
    if (/^\$[\d@*#?$!-]/.test(rest)) return this.skip(/^\$./s);
    this.at += 1;
    this.add('$');
  }

  private variable(name: string, { operator, other, quoted }: { readonly operator: string; readonly other: string; readonly quoted: boolean }): void {
    const value = this.variables.get(name);
    const used = value !== undefined && operator.endsWith('+') ? other : value;
    if (used === undefined || (!quoted && SPLIT.test(used))) this.unknown();
    else this.add(used);
  }

  private backticks(depth: number): void {
    const end = this.text.indexOf('`', this.at + 1);
    const inner = this.text.slice(this.at + 1, Math.max(end, 0));
    // A backslash takes away a quotation there before the text is read.
    if (end === -1 || inner.includes('\\') || depth >= MAX_DEPTH) throw new Unread();
    this.unknown();
    const reader = new LineReader(inner, this.variables, this.home);
    reader.commands('end', depth + 1);
    this.found.push(...reader.found);
    this.at = end + 1;
  }

  /** Reads a substitution: its value is unknown; the commands in it run. */
  private substitution(length: number, depth: number): void {
    this.unknown();
    const [word, command, target] = [this.word, this.command, this.target];
    this.at += length;
    this.begin();
    this.commands(')', depth + 1);
    this.word = word;
    this.command = command;
    this.target = target;
  }

  private redirection(depth: number): void {
    if (this.word !== undefined && /^\d+$/.test(this.text.slice(this.word.start, this.at))) this.word = undefined;
    this.endWord();
    const operator = /^(?:&>>|&>|<<<|<<|<>|<&|>&|>>|>\||[<>]\(|<|>)/.exec(this.text.slice(this.at))?.[0] ?? '';
    if (operator === '<<') throw new Unread();
    if (operator.endsWith('(')) {
      this.word = { start: this.at, value: '', known: false };
      this.substitution(operator.length, depth);
      return;
    }
    this.at += operator.length;
    this.target = operator === '<<<' ? 'text' : operator.startsWith('<') ? 'inputs' : 'outputs';
  }

  private skip(pattern: RegExp): void {
    const found = pattern.exec(this.text.slice(this.at))?.[0];
    if (found === undefined) throw new Unread();
    this.at += found.length;
    this.unknown();
  }

  private add(text: string): void {
    if (this.word?.known === true) this.word.value += text;
  }

  private unknown(): void {
    if (this.word !== undefined) this.word.known = false;
  }

  private endWord(): void {
    if (this.word === undefined) return;
    const { start, value, known } = this.word;
    const word: Word = { written: this.text.slice(start, this.at), value, known };
    const { command, target } = this;
    this.word = undefined;
    this.target = 'words';
    const assigned = target === 'words' && command.words.length === 0 ? /^([A-Za-z_]\w*)\+?=/.exec(word.written) : null;
    if (assigned !== null) {
      const behind = word.value.slice(assigned[0].length);
      command.assignments.push({ name: assigned[1] ?? '', value: { ...word, value: behind } });
    } else if (target !== 'text') {
      command[target].push(word);
    }
  }

  private endCommand(): void {
    this.endWord();
    const { command } = this;
    this.begin();
    if (command.words.some(({ value }, index) => index === 0 && OTHER_SYNTAX.test(value))) throw new Unread();
    if (Object.values(command).some((list: readonly unknown[]) => list.length > 0)) this.found.push(command);
    if (this.found.length > MAX_COMMANDS) throw new Unread();
  }

  private begin(): void {
    this.word = undefined;
    this.command = emptyCommand();
    this.target = 'words';
  }
}

function emptyCommand(): GrowingCommand {
  return { assignments: [], words: [], inputs: [], outputs: [] };
}
