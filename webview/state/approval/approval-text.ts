import { t } from '../../../src/protocol/l10n.js';
import type { ViewPreview, ViewToolCall } from '../../../src/protocol/view-state.js';

/** What a permission prompt asks, as a question. */
export function questionOf({ name, preview }: Pick<ViewToolCall, 'name' | 'preview'>): string {
  if (preview?.kind === 'command') return t('Run this command?');
  if (preview?.kind === 'diff') return preview.created ? t('Create this file?') : t('Make this change?');
  if (preview?.kind === 'url') return t('Fetch this URL?');
  return t('Allow {0}?', name);
}

/** All that a call will do, as one text: two calls that would do different things have different ones. */
export function wholeText({ subject, preview }: Pick<ViewToolCall, 'subject' | 'preview'>): string {
  return [...partsOf(preview), subject].join('\n');
}

function partsOf(preview: ViewPreview | undefined): readonly string[] {
  if (preview?.kind === 'command') return [preview.command, preview.cwd];
  // A carriage return before the line feed is part of a line's end and not shown.
  if (preview?.kind === 'diff') return [preview.path, preview.diff.replaceAll('\r\n', '\n')];
  if (preview?.kind === 'input') return [preview.input];
  return preview?.kind === 'url' ? [preview.url] : [];
}
