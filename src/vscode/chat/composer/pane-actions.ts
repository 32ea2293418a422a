import type { ModelRegistry } from '../../models/model-registry.js';
import type { ChatPane } from '../pane/chat-pane.js';
import { modeChoices, modelChoices } from '../pane/choices.js';
import type { TurnPorts } from '../pane/requests/turn-handlers.js';
import { setMode } from '../pane/requests/turn-handlers.js';
import type { SlashActions } from './built-in.js';

/** What the built-in commands do in a place where a conversation is shown. */
export function slashActions(pane: ChatPane, { models, runCommand, confirmBypass }: TurnPorts & { readonly models: ModelRegistry }): SlashActions {
  return {
    compact: (wish) => pane.current.compact(wish),
    newSession: () => pane.newSession(),
    models: () => modelChoices(models.entries(), pane.current.session.model),
    setModel: (key) => pane.setModel(key),
    modes: modeChoices,
    setMode: (mode) => setMode(pane, mode, confirmBypass),
    runCommand,
    tell: (text) => pane.current.notify({ level: 'info', text, actions: [] }),
  };
}
