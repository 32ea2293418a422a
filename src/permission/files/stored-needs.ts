import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Call, Need } from '../call.js';
import { fitsPath, pathInFolder } from '../rules/path-pattern.js';
import type { RuleSet } from '../rules/rule-set.js';
import { namesSecret, pathRule } from './file-needs.js';

/** So many files are named in a question. */
const MAX_NAMED = 10;

/** What Git would show of stored files that may contain passwords or keys. It asks in every mode, as reading the files does. */
export function storedNeeds({ command, bases }: Call, rules: RuleSet): readonly Need[] {
  const { secrets = [], added = [], undecided = false } = command?.stored ?? {};
  const naming = rules.of('allow').filter(namesSecret);
  const known = [...added, ...secrets].map((path): Need => {
    const rule = naming.find((active) => active.path === undefined || fitsPath(active.path, path, bases));
    const proposal = pathRule('Read', { path, below: false }, bases);
    const name = escapeHidden(pathInFolder(path, bases));
    const reason = added.includes(path)
      ? t('It would add {0} to Git, which may contain passwords or keys.', name)
      : t('It shows versions of {0} that Git has stored, which may contain passwords or keys.', name);
    return { kind: 'secret', reason, ...(rule === undefined ? {} : { by: rule.source }), ...(proposal === undefined ? {} : { proposal }) };
  });
  const open = known.filter(({ by }) => by === undefined);
  const named = [...known.filter(({ by }) => by !== undefined), ...open.slice(0, MAX_NAMED)];
  const more = open.length > MAX_NAMED ? [{ kind: 'secret' as const, reason: t('It shows versions of more such files: {0}.', open.length - MAX_NAMED) }] : [];
  if (!undecided) return [...named, ...more];
  return [
    ...named,
    ...more,
    { kind: 'secret', reason: t('It could not be determined in time whether Git would show files that may contain passwords or keys.') },
  ];
}
