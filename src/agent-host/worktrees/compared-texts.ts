import type { FileTexts } from '../../domain/host/dialogs.js';
import { formatBytes, t } from '../../domain/l10n.js';
import { present } from '../../domain/present.js';
import { decodeText } from '../../text/encoding.js';
import type { ChangeSet, Side } from '../../worktree/change-set.js';

/** What a worktree has changed, as texts to compare. */
export function comparedTexts({ files }: ChangeSet): readonly FileTexts[] {
  return files.map(({ path, from, base, now }) => ({ path, ...present({ from, before: textOf(base), after: textOf(now) }) }));
}

const UNREAD: Readonly<Record<Extract<Side, { readonly kind: 'not_read' }>['why'], () => string>> = {
  too_large: () => t('This file is too large to be shown.'),
  too_many: () => t('This file is too large to be shown.'),
  filter_failed: () => t('A filter in your Git settings failed for this file.'),
  name: () => t('The name of this file is not in UTF-8.'),
};

/** What is shown of a file; `undefined` for none. */
function textOf(side: Side): string | undefined {
  switch (side.kind) {
    case 'file':
      return decodeText(side.bytes)?.text ?? t('This file is no text. Its size is {0}.', formatBytes(side.bytes.length));
    case 'link':
      return side.target;
    case 'submodule':
      return side.id;
    case 'not_read':
      return UNREAD[side.why]();
    default:
      return undefined;
  }
}
