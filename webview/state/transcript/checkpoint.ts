import type { ViewItem, ViewToolCall } from '../../../src/protocol/view-state.js';

/** Tools that write one file each. */
const WRITES: ReadonlySet<string> = new Set(['apply_patch', 'edit', 'write']);

/**
 * Number of files that the turn of a message has changed, once it is over, according to its calls; changes by commands are not known, and those in
 * worktrees do not count.
 * @param at the item at an index, where it is held.
 */
export function filesChangedAfter(message: number, at: (index: number) => ViewItem | undefined): number {
  const files = new Set<string>();
  for (let index = message + 1; ; index += 1) {
    const item = at(index);
    if (item === undefined || item.kind === 'user') return files.size;
    if (item.kind !== 'answer') continue;
    if (item.status === 'streaming') return 0;
    for (const block of item.blocks) if (block.type === 'tool' && hasWritten(block.call)) files.add(block.call.subject);
  }
}

function hasWritten({ name, status, isApart }: ViewToolCall): boolean {
  return WRITES.has(name) && status === 'done' && isApart !== true;
}
