import type { ViewItem } from '../../../protocol/view-state.js';

/** A message as text: the words of the user, or an answer as Markdown without what was thought and done for it. */
export function itemText(item: ViewItem): string {
  if (item.kind === 'user') return item.text;
  if (item.kind !== 'answer') return '';
  const texts = item.blocks.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}
