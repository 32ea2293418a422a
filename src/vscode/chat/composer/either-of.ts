import { t } from '../../../domain/l10n.js';

/** Names to choose from in a sentence, such as “/mode or /model”. */
export function eitherOf(names: readonly string[]): string {
  return names.reduce((before, name) => t('{0} or {1}', before, name));
}
