import { t } from '../../domain/l10n.js';
import { withoutBypass } from '../../domain/tool/narrow-mode.js';
import type { BypassConfirmation } from '../../consent/bypass-confirmation.js';
import type { Conversation } from './conversation.js';

/** Takes the mode that bypasses permissions from a conversation as soon as settings disable it, and says so. Returns what ends that. */
export function followBypass(
  conversation: Pick<Conversation, 'setMode' | 'notify'> & { readonly session: Pick<Conversation['session'], 'mode'> },
  bypass: Pick<BypassConfirmation, 'disabledBy' | 'onDidChange'>,
): () => void {
  return bypass.onDidChange(() => {
    const {
      session: { mode },
    } = conversation;
    const left = withoutBypass(mode);
    const by = bypass.disabledBy();
    if (by === undefined || left === mode) return;
    conversation.setMode(left);
    conversation.notify({
      level: 'warning',
      text: t('The mode “Bypass permissions” is disabled in {0}. This chat continues in the mode “Accept edits”.', by),
      actions: [],
    });
  });
}
