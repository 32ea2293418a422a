import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Call, Need } from '../call.js';
import { fitsPath, pathInFolder } from '../rules/path-pattern.js';
import type { RuleSet } from '../rules/rule-set.js';
import { namesSecret, pathRule } from './file-needs.js';

/** What Git would show of stored files that may contain passwords or keys. It asks in every mode, as reading the files does. */
export function storedNeeds({ command, bases }: Call, rules: RuleSet): readonly Need[] {
  const { secrets = [], undecided = false } = command?.stored ?? {};
  const naming = rules.of('allow').filter(namesSecret);
  const known = secrets.map((path): Need => {
    const rule = naming.find((active) => active.path === undefined || fitsPath(active.path, path, bases));
    const proposal = pathRule('Read', { path, below: false }, bases);
    const reason = t('It shows versions of {0} that Git has stored, which may contain passwords or keys.', escapeHidden(pathInFolder(path, bases)));
    return { kind: 'secret', reason, ...(rule === undefined ? {} : { by: rule.source }), ...(proposal === undefined ? {} : { proposal }) };
  });
  if (!undecided) return known;
  return [...known, { kind: 'secret', reason: t('It could not be determined in time whether Git would show files that may contain passwords or keys.') }];
}
