import type { ShellNode } from './shell-node.js';
import { unreadable } from '../doubts.js';

/** Nodes in which text is put in place of something written. */
const EXPANSIONS: ReadonlySet<string> = new Set(['command_substitution', 'process_substitution', 'expansion', 'simple_expansion', 'arithmetic_expansion']);

const BLANKS = /^(?:[ \t]|\\\n)*$/;
const BLANK_LINES = /^(?:[ \t\n]|\\\n)*$/;
/** A comment. What moves the cursor could make one look like a command, or the other way round. */
const COMMENT = /^#(?:\t|[^\p{Cc}])*$/u;
/** Length of a backslash with its newline. */
const CONTINUATION = 2;
/** Characters that may directly precede or follow a keyword or a command. */
const BOUNDARY = /^[ \t\n;&|()<>`]$/;

/** A parsed line, with what the grammar found at each place. Its checks compare the grammar with the text. */
export class Source {
  private readonly expansions = new Map<number, ShellNode>();
  private readonly assignments = new Map<number, ShellNode>();
  private readonly heredocs = new Map<number, ShellNode>();

  constructor(
    readonly root: ShellNode,
    readonly text: string,
  ) {
    this.index(root);
  }

  private index(node: ShellNode): void {
    if (EXPANSIONS.has(node.type)) this.expansions.set(node.start, node);
    else if (node.type === 'variable_assignment') this.assignments.set(node.start, node);
    else if (node.type === 'heredoc_redirect') this.heredocs.set(node.start, node);
    for (const child of node.children) this.index(child);
  }

  /** The expansion that begins at a place; it counts as looked at. */
  takeExpansion(at: number): ShellNode | undefined {
    const found = this.expansions.get(at);
    this.expansions.delete(at);
    return found;
  }

  /** The assignment that begins at a place. */
  assignmentAt(at: number): ShellNode | undefined {
    return this.assignments.get(at);
  }

  /** The here-document whose operator begins at a place; it counts as looked at. */
  takeHeredoc(at: number): ShellNode | undefined {
    const found = this.heredocs.get(at);
    this.heredocs.delete(at);
    return found;
  }

  /** @throws UnreadableError when the grammar found something that was not looked at. */
  assertAllTaken(): void {
    if (this.expansions.size + this.heredocs.size > 0) unreadable();
  }

  /** @throws UnreadableError unless only blanks are between two places, and newlines where they are allowed. */
  assertBlank(from: number, to: number, newlines = false): void {
    if (from > to || !(newlines ? BLANK_LINES : BLANKS).test(this.text.slice(from, to))) unreadable();
  }

  /** @throws UnreadableError unless only blanks are between nodes, and newlines after an operator. */
  assertChain(nodes: readonly ShellNode[], operators = /^$/): void {
    nodes.slice(1).forEach((node, index) => {
      const last = nodes[index];
      if (last !== undefined) this.assertBlank(last.end, node.start, operators.test(last.type));
    });
  }

  /** Whether a newline that ends a command is between two places. */
  hasNewline(from: number, to: number): boolean {
    return this.text.slice(from, to).replaceAll('\\\n', '').includes('\n');
  }

  /** @throws UnreadableError unless a node is a word of its own: no letter touches it on either side. */
  assertWhole(node: ShellNode): void {
    this.assertStartsWord(node.start);
    this.assertEndsWord(node.end);
  }

  /** @throws UnreadableError unless a word can begin at a place. */
  assertStartsWord(at: number): void {
    if (!BOUNDARY.test(this.before(at))) unreadable();
  }

  /** The character before a place, where lines that continue are one. */
  private before(at: number): string {
    let end = at;
    while (this.text.endsWith('\\\n', end) && end >= CONTINUATION) end -= CONTINUATION;
    return end === 0 ? ' ' : this.text.charAt(end - 1);
  }

  /** @throws UnreadableError unless a word ends at a place. */
  assertEndsWord(at: number): void {
    let end = at;
    while (this.text.startsWith('\\\n', end)) end += CONTINUATION;
    const after = this.text.charAt(end);
    if (after !== '' && !BOUNDARY.test(after)) unreadable();
  }

  /** @throws UnreadableError unless a comment begins where a word would and reaches to the end of its line. */
  assertComment(node: ShellNode): void {
    const after = this.text.charAt(node.end);
    const written = this.text.slice(node.start, node.end);
    if (!COMMENT.test(written) || !/^[ \t\n;&|()]$/.test(this.before(node.start)) || (after !== '' && after !== '\n')) unreadable();
  }
}

/** All nodes of a kind below one, itself left out. Does not look into those found. */
export function expansionsIn(node: ShellNode): readonly ShellNode[] {
  return node.children.flatMap((child) => (EXPANSIONS.has(child.type) ? [child] : expansionsIn(child)));
}
