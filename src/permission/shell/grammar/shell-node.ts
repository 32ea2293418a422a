import type { TreeCursor } from '@vscode/tree-sitter-wasm';
import { t } from '../../../domain/l10n.js';
import { unreadable } from '../doubts.js';

/** A node of a parsed line, copied out of the parser's memory. Places are positions in the text. */
export interface ShellNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
}

/** The most levels of a tree that are followed. What comes after may recurse. */
const MAX_DEPTH = 200;
/** The most nodes of a tree. */
const MAX_NODES = 20_000;

interface Growing extends ShellNode {
  readonly children: Growing[];
}

/**
 * Copies the tree at whose root a cursor is. Works without recursion.
 * @param deadline when to give up, by the clock of `performance`.
 * @throws UnreadableError for a tree that is too deep or too large, or that contains an error.
 */
export function copyTree(cursor: TreeCursor, deadline: number): ShellNode {
  const root = nodeAt(cursor);
  const path = [root];
  for (let count = 1; ; count++) {
    if (count > MAX_NODES || performance.now() > deadline) unreadable(t('It is too long to analyze.'));
    if (cursor.gotoFirstChild()) {
      if (path.length > MAX_DEPTH) unreadable(t('It is too deeply nested to analyze.'));
    } else {
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return root;
        path.pop();
      }
      path.pop();
    }
    const node = nodeAt(cursor);
    path.at(-1)?.children.push(node);
    path.push(node);
  }
}

function nodeAt(cursor: TreeCursor): Growing {
  const { nodeType: type, startIndex: start, endIndex: end } = cursor;
  if (type === 'ERROR' || cursor.nodeIsMissing) unreadable();
  return { type, start, end, children: [] };
}
