import type { BypassConfirmation } from '../../consent/bypass-confirmation.js';
import { t } from '../../domain/l10n.js';
import type { ModelChoice } from '../../domain/model/model-choice.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { withoutBypass } from '../../domain/tool/narrow-mode.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { FileSettings } from '../../customization/settings.js';
import type { Conversation } from './conversation.js';
import type { ChosenModel } from '../../agent-host/session-factory.js';

/** Settings for new chats: the model, the permission mode, and the thinking effort. */
export interface FollowSettingsDeps {
  readonly settings: Pick<FileSettings, 'onDidChange' | 'permissionMode' | 'thinkingEffort'>;
  /** The model for new chats. */
  readonly chooseModel: () => Promise<ChosenModel>;
  /** The mode that a chat may start with, given the one of the settings. */
  readonly startingMode: (mode: PermissionMode) => PermissionMode;
  readonly failed: (error: unknown) => void;
}

/** The part of a conversation that {@link followSettings} changes. */
type FollowedChat = Pick<Conversation, 'setModel' | 'setMode' | 'setEffort'> & {
  readonly session: Pick<Conversation['session'], 'messages' | 'model' | 'mode' | 'effort' | 'agent'> & {
    readonly auto: Pick<Conversation['session']['auto'], 'choice'>;
  };
};

/**
 * Keeps a new chat as the settings want it until its first message: they may change while it is open, such as when the workspace becomes
 * trusted. What the user has chosen in it stays. Returns what ends that.
 */
export function followSettings(conversation: FollowedChat, { settings, chooseModel, startingMode, failed }: FollowSettingsDeps): () => void {
  const { session } = conversation;
  let usual = { mode: startingMode(settings.permissionMode()), effort: settings.thinkingEffort(), model: nameOf(session.model, session.auto.choice) };
  /** Options that the user has chosen, which settings no longer change. */
  const chosen = new Set<keyof typeof usual>();
  const isFresh = (): boolean => session.messages.length === 0 && session.agent === undefined;
  const look = (): void => {
    if (session.mode !== usual.mode) chosen.add('mode');
    if (session.effort !== usual.effort) chosen.add('effort');
    if (nameOf(session.model, session.auto.choice) !== usual.model) chosen.add('model');
  };
  const follow = async (): Promise<void> => {
    if (!isFresh()) return;
    look();
    usual = { ...usual, mode: startingMode(settings.permissionMode()), effort: settings.thinkingEffort() };
    if (!chosen.has('mode') && session.mode !== usual.mode) conversation.setMode(usual.mode);
    if (!chosen.has('effort') && session.effort !== usual.effort) conversation.setEffort(usual.effort);
    const { provider, model, choice } = await chooseModel();
    // The user may have chosen one, or sent the message, while lists of models came.
    look();
    const name = nameOf(model, choice);
    if (!isFresh() || chosen.has('model') || name === usual.model) return;
    usual = { ...usual, model: name };
    conversation.setModel(provider, model, choice);
  };
  return settings.onDidChange(() => void follow().catch(failed));
}

/** What tells one choice of a model from another: who chooses it, and which it is. */
function nameOf(model: ModelInfo, choice: ModelChoice = { type: 'default' }): string {
  return `${choice.type} ${modelKey(model)}`;
}

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
