import { assertNever } from '../domain/assert-never.js';
import type { ViewBlock, ViewItem, ViewToolCall } from './view-state.js';

/** Characters that an item counts for beside its text. */
const BASE_LENGTH = 200;

/** Estimates the characters of an item in a message to a page. Constant work per block: no text is read. */
export function itemSize(item: ViewItem): number {
  switch (item.kind) {
    case 'user':
    case 'notice':
      return BASE_LENGTH + item.text.length;
    case 'compaction':
      return BASE_LENGTH + item.summary.length;
    case 'answer':
      return item.blocks.reduce((sum, block) => sum + blockSize(block), BASE_LENGTH);
    default:
      return assertNever(item);
  }
}

function blockSize(block: ViewBlock): number {
  return BASE_LENGTH + (block.type === 'tool' ? block.call.output.length + previewSize(block.call) : block.text.length);
}

function previewSize({ preview }: ViewToolCall): number {
  if (preview?.kind === 'command') return preview.command.length;
  if (preview?.kind === 'input') return preview.input.length + (preview.changed?.length ?? 0);
  if (preview?.kind === 'diffs') return preview.files.reduce((sum, { name, diff }) => sum + name.length + diff.length, 0);
  return preview?.kind === 'diff' ? preview.diff.length : 0;
}
