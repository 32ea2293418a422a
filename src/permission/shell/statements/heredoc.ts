import { t } from '../../../domain/l10n.js';
import { readExpandedText } from '../words/read-word.js';
import type { ShellNode } from '../grammar/shell-node.js';
import type { Source } from '../grammar/source.js';
import { unreadable } from '../doubts.js';
import type { RawWord } from '../words/word.js';

/** Rest of the line of a here-document: `| tee x`, `&& ls`. */
export interface HeredocRest {
  readonly operator: string;
  /** The commands behind the operator. */
  readonly nodes: readonly ShellNode[];
}

/** A here-document. */
export interface Heredoc {
  readonly delimiterEnd: number;
  /** Where the words and redirections of the line end: at a newline or an operator. */
  readonly lineEnd: number;
  /** Where the line with the delimiter ends. */
  readonly end: number;
  /** The body where the shell expands it. */
  readonly body: RawWord | undefined;
  readonly rest: HeredocRest | undefined;
}

const DELIMITER = /^(?:'([\w.-]+)'|"([\w.-]+)"|\\([\w.-]+)|([\w.-]+))$/;

/**
 * Reads a here-document: looks for its end as bash does, line by line, and compares with the grammar.
 * @throws UnreadableError when they differ, and for what is rare: odd delimiters, lines of the body that are joined.
 */
export function readHeredoc(source: Source, node: ShellNode): Heredoc {
  const { text } = source;
  const start = childOf(node, 'heredoc_start');
  const [, single, double, escaped, plain] = DELIMITER.exec(text.slice(start.start, start.end)) ?? unreadable();
  source.assertEndsWord(start.end);
  const bodyStart = text.indexOf('\n', start.end) + 1;
  const rest = restOf(node, source, bodyStart - 1);
  const delimiter = single ?? double ?? escaped ?? plain ?? unreadable();
  const last = findDelimiter(text, bodyStart, { delimiter, tabs: text.startsWith('<<-', operatorOf(node).start) });
  if (childOf(node, 'heredoc_end').end !== last.end) unreadable();
  const body = plain === undefined ? undefined : readBody(source, bodyStart, last.start);
  return { delimiterEnd: start.end, lineEnd: rest?.start ?? bodyStart - 1, end: last.end, body, rest };
}

function childOf(node: ShellNode, type: string): ShellNode {
  return node.children.find((child) => child.type === type) ?? unreadable();
}

function operatorOf(node: ShellNode): ShellNode {
  return node.children.find((child) => child.type === '<<' || child.type === '<<-') ?? unreadable();
}

function findDelimiter(text: string, from: number, { delimiter, tabs }: { delimiter: string; tabs: boolean }): { start: number; end: number } {
  for (let start = from; start > 0 && start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) return { start, end };
    start = end + 1;
  }
  return unreadable(t('A here-document is not terminated.'));
}

function readBody(source: Source, from: number, to: number): RawWord {
  // Joined lines could hide the delimiter, or make it.
  if (source.text.slice(from, to).includes('\\\n')) unreadable();
  return readExpandedText(source, from, to);
}

function restOf(node: ShellNode, source: Source, lineEnd: number): (HeredocRest & { readonly start: number }) | undefined {
  const first = node.children.findIndex((child) => ['pipeline', '&&', '||'].includes(child.type));
  const operator = node.children[first];
  if (operator === undefined) return undefined;
  const rest = operator.type === 'pipeline' ? pipelineRest(operator) : conditionRest(operator, node.children[first + 1]);
  const end = operator.type === 'pipeline' ? operator.end : (node.children[first + 1]?.end ?? operator.end);
  source.assertBlank(end, lineEnd);
  source.assertChain(operator.type === 'pipeline' ? operator.children : node.children.slice(first, first + 2));
  return { ...rest, start: operator.start };
}

function pipelineRest(node: ShellNode): HeredocRest {
  const [operator] = node.children;
  return { operator: operator?.type ?? unreadable(), nodes: node.children.slice(1).filter((child) => !child.type.startsWith('|')) };
}

/** A list behind the operator would be tied the other way round by the shell. */
function conditionRest(operator: ShellNode, next: ShellNode | undefined): HeredocRest {
  if (next === undefined || next.type === 'list') return unreadable();
  return { operator: operator.type, nodes: [next] };
}
