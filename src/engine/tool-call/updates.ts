import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type Gate, type GateRequest, type PermissionMode, type PermissionUpdate, type RuleUpdate, parsePermissionMode } from '../../domain/tool/permission.js';
import { RememberError } from './permit.js';

/** Mode change by an answer to a permission request, within the limits of the user's own choice. */
export interface ModeChoice {
  /** Whether the session can have a mode now without another word of the user. */
  may(mode: PermissionMode): boolean;
  set(mode: PermissionMode): void;
}

/** Gate and mode that an answer can change, and the request that it is about. */
interface Changeable {
  readonly gate: Gate;
  readonly request: GateRequest;
  readonly modes: ModeChoice;
}

/**
 * Makes the changes of an answer: all of them are looked at first, then rules are changed, and the mode last.
 * @throws RememberError for one that cannot be made. Nothing is changed then, but for settings that were written before others could not be.
 */
export async function makeUpdates(updates: readonly PermissionUpdate[], { gate, request, modes }: Changeable): Promise<void> {
  for (const update of updates) check(update, modes);
  const rules = updates.filter(isOfRules);
  const mode = updates.findLast((update) => update.type === 'setMode')?.mode;
  try {
    if (rules.length > 0) await gate.update(request, rules);
  } catch (error) {
    throw new RememberError(errorMessage(error));
  }
  if (mode !== undefined) modes.set(mode);
}

function isOfRules(update: PermissionUpdate): update is RuleUpdate {
  return 'rules' in update;
}

function check(update: PermissionUpdate, modes: ModeChoice): void {
  if ('directories' in update) throw new RememberError(t('The folders of a chat cannot be changed with an answer.'));
  if (!('mode' in update)) return;
  if (parsePermissionMode(update.mode) === undefined) throw new RememberError(t('Unknown permission mode “{0}”.', update.mode));
  if (!modes.may(update.mode)) throw new RememberError(t('The mode “{0}” cannot be set with an answer. Choose it in the chat first.', update.mode));
}
