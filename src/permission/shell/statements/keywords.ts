import type { Context, Scope, SequenceFlow } from '../context.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';

/** Statements between two keywords. */
export interface Section {
  readonly open: ShellNode;
  readonly nodes: readonly ShellNode[];
  readonly close: ShellNode;
}

/** Judges what is between the first and the last child of a node: brackets, braces or keywords. */
export function judgeBetween(node: ShellNode, scope: Scope, context: Context): SequenceFlow {
  const open = node.children[0];
  const close = node.children.at(-1);
  if (open === undefined || close === undefined || open === close) return unreadable();
  return judgeSection({ open, nodes: node.children.slice(1, -1), close }, scope, context);
}

/** Judges the statements of a section. @throws UnreadableError when the shell would not take its ends for keywords. */
export function judgeSection({ open, nodes, close }: Section, scope: Scope, context: Context): SequenceFlow {
  if (open.type !== '(') context.source.assertWhole(open);
  const flow = context.sequence(nodes, scope, { start: open.end, end: close.start });
  if (close.type === ')') return flow;
  context.source.assertWhole(close);
  return flow.ended ? flow : unreadable();
}

/**
 * Cuts the children of a node into sections.
 * @param clauses nodes that are cut open.
 * @throws UnreadableError unless the first and the last child are keywords.
 */
export function sectionsOf(node: ShellNode, keywords: readonly string[], clauses: readonly string[]): readonly Section[] {
  const flat = node.children.flatMap((child) => (clauses.includes(child.type) ? child.children : [child]));
  const marks = flat.flatMap((child, index) => (keywords.includes(child.type) ? [index] : []));
  if (marks[0] !== 0 || marks.at(-1) !== flat.length - 1) unreadable();
  return marks.slice(1).map((mark, index) => {
    const from = marks[index] ?? 0;
    return { open: flat[from] ?? unreadable(), nodes: flat.slice(from + 1, mark), close: flat[mark] ?? unreadable() };
  });
}
