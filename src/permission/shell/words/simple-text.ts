import { type HeredocRest, readHeredoc } from '../statements/heredoc.js';
import { readWord } from './read-word.js';
import type { ShellNode } from '../grammar/shell-node.js';
import type { Source } from '../grammar/source.js';
import { unreadable } from '../doubts.js';
import type { RawWord } from './word.js';

/** A redirection. A here-document has no target, but may contain expansions. */
export interface Redirection {
  readonly operator: string;
  readonly target: RawWord | undefined;
}

/** The text of one simple command, or the redirections behind a compound one. */
export interface SimpleText {
  readonly start: number;
  readonly end: number;
  /** Values of variables assigned before the words, and the arrays assigned to them. */
  readonly values: readonly RawWord[];
  readonly lists: readonly ShellNode[];
  /** Whether the words are preceded by something that the shell would parse as an assignment. */
  readonly assigns: boolean;
  readonly words: readonly RawWord[];
  readonly redirections: readonly Redirection[];
  /** Rest of the line of a here-document, behind a pipe or a condition. */
  readonly rest: HeredocRest | undefined;
}

/** The operators of redirections, longest first, with the number or name of what they redirect. */
const REDIRECTION = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<<-?|<>|<&|<|&>>|&>|>>|>\||>&|>)/y;
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[|\+?=)/;
const BLANKS = /(?:[ \t]|\\\n)*/y;

/**
 * Parses the text of a simple command between two places, by the rules of bash: words, redirections, nothing else.
 * @throws UnreadableError when something else is there, or a word does not end where the command does.
 */
export function readSimpleText(source: Source, start: number, end: number): SimpleText {
  return new SimpleTextReader(source, start, end).read();
}

class SimpleTextReader {
  private at: number;
  private readonly values: RawWord[] = [];
  private readonly lists: ShellNode[] = [];
  private assigns = false;
  private readonly words: RawWord[] = [];
  private readonly redirections: Redirection[] = [];
  private rest: HeredocRest | undefined;

  constructor(
    private readonly source: Source,
    private readonly start: number,
    private readonly end: number,
  ) {
    this.at = start;
  }

  read(): SimpleText {
    this.skipBlanks();
    while (this.at < this.end) {
      this.readPart();
      this.skipBlanks();
    }
    // Blanks behind the command were skipped too, but nothing else.
    const { start, end, values, lists, assigns, words, redirections, rest } = this;
    return { start, end, values, lists, assigns, words, redirections, rest };
  }

  private skipBlanks(): void {
    this.at += this.match(BLANKS)?.length ?? 0;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source.text)?.[0];
  }

  private readPart(): void {
    const operator = this.match(REDIRECTION);
    if (operator !== undefined && !/^[<>]\($/.test(this.source.text.slice(this.at, this.at + 2))) this.readRedirection(operator);
    else if (this.source.text.charAt(this.at) === '#') unreadable();
    else this.readArgument();
  }

  private readArgument(): void {
    const start = this.at;
    const word = this.word();
    if (/[<>]/.test(this.source.text.charAt(this.at)) && isDescriptor(word)) unreadable();
    if (this.words.length > 0 || !isAssignment(word)) {
      this.words.push(word);
      return;
    }
    this.assigns = true;
    this.values.push(word);
    if (this.source.text.charAt(this.at) === '(') this.readList(start);
  }

  /** `name=(…)`. Where it ends is left to the grammar: a command that sets a variable is never let pass. */
  private readList(start: number): void {
    const node = this.source.assignmentAt(start) ?? unreadable();
    this.lists.push(node);
    this.moveTo(node.end);
    this.source.assertEndsWord(node.end);
  }

  private word(): RawWord {
    const word = readWord(this.source, this.at);
    if (word.end === this.at) unreadable();
    this.moveTo(word.end);
    return word;
  }

  private moveTo(at: number): void {
    if (at > this.end || at <= this.at) unreadable();
    this.at = at;
  }

  private readRedirection(written: string): void {
    // `{name}>` sets a variable.
    this.assigns ||= written.startsWith('{');
    const operator = written.replace(/^(?:\d+|\{\w+\})/, '');
    if (operator === '<<' || operator === '<<-') {
      this.readHeredoc(this.source.takeHeredoc(this.at));
      return;
    }
    this.moveTo(this.at + written.length);
    this.skipBlanks();
    this.redirections.push({ operator, target: this.word() });
  }

  /** The body follows the rest of the line, so the line is parsed to its end first. */
  private readHeredoc(node: ShellNode | undefined): void {
    if (node === undefined || this.rest !== undefined) return unreadable();
    const heredoc = readHeredoc(this.source, node);
    this.moveTo(heredoc.delimiterEnd);
    this.skipBlanks();
    while (this.at < heredoc.lineEnd) {
      this.readPart();
      this.skipBlanks();
    }
    if (this.at !== heredoc.lineEnd) unreadable();
    this.redirections.push({ operator: '<<', target: heredoc.body });
    this.rest = heredoc.rest;
    this.moveTo(heredoc.end);
  }
}

function isAssignment({ pieces: [first] }: RawWord): boolean {
  return first?.kind === 'text' && !first.quoted && ASSIGNMENT.test(first.text);
}

/** Whether a word is the descriptor of a redirection, cut by a line continuation. */
function isDescriptor({ pieces: [first] }: RawWord): boolean {
  return first?.kind === 'text' && !first.quoted && /^(?:\d+|\{\w+\})$/.test(first.text);
}
