import type { ModelInfo } from '../../domain/provider.js';
import type { SessionSummary } from '../../domain/session-store.js';
import type { PermissionMode } from '../../domain/permission.js';
import type { Choice, HistoryEntry } from '../../protocol/messages.js';
import { modelKey } from '../../engine/model-key.js';

const MODES: readonly (Choice & { readonly id: PermissionMode })[] = [
  { id: 'default', label: 'Ask before changes', description: 'Reading inside the workspace runs; edits and commands ask.' },
  { id: 'acceptEdits', label: 'Accept edits', description: 'Edits inside the workspace run too; commands and protected files ask.' },
  { id: 'plan', label: 'Plan', description: 'Only reading runs; everything else is refused.' },
  { id: 'ask', label: 'Ask always', description: 'Everything asks.' },
];

/** The permission modes that are offered. */
export function modeChoices(): readonly Choice[] {
  return MODES;
}

/** The models that are offered. */
export function modelChoices(models: readonly ModelInfo[]): readonly Choice[] {
  return models.map((model) => ({ id: modelKey(model), label: model.label }));
}

/** The lines of the history. */
export function historyOf(sessions: readonly SessionSummary[], current: string): readonly HistoryEntry[] {
  return sessions.map((session) => ({ ...session, current: session.id === current }));
}
