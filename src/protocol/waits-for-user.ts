import type { ViewItem, ViewToolCall } from './view-state.js';

/** Whether an item contains a permission prompt or a question that the user has to answer. */
export function waitsForUser(item: ViewItem): boolean {
  return item.kind === 'answer' && item.blocks.some((block) => block.type === 'tool' && isOpen(block.call));
}

function isOpen({ status, preview }: ViewToolCall): boolean {
  return status === 'awaiting_approval' || (status === 'running' && preview?.kind === 'question');
}
