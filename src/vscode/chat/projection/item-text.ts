import type { ViewItem } from '../../../protocol/view-state.js';

/** A message as text: what the user wrote, or an answer as Markdown without its thinking and tool calls. */
export function itemText(item: ViewItem): string {
  if (item.kind === 'user') return item.text;
  if (item.kind !== 'answer') return '';
  const texts = item.blocks.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}
