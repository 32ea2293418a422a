import { assertNever } from '../domain/assert-never.js';
import { formatPercent, t } from '../domain/l10n.js';
import type { Decision } from '../domain/model/routing.js';

/** Why no model was chosen, and what to do, for the user. @param nameOf display name of a model by its key */
export function whyNoModel({ why, candidates }: Extract<Decision, { type: 'ask' }>, nameOf: (key: string) => string): string {
  const next = t('Choose a model for this chat, or try again later.');
  switch (why.type) {
    case 'noneAllowed':
      if (candidates.some(({ removed }) => removed?.type === 'notAllowed'))
        return `${t('None of the models that Auto could choose is allowed (“allowedModels”).')} ${t('Choose another model, or change the list.')}`;
      return t('Auto found no model that it may choose. Set an API key, or name other models in the setting “gnomon.routing.models”.');
    case 'noneFits':
      return `${t('No model that Auto may choose can do this now: none is large enough, takes images where there are some, and answers.')} ${next}`;
    case 'belowFloor':
      return [
        t('The models that are good enough for this task do not answer, or are too small.'),
        t(
          'The best one left is {0}: expected to succeed in {1} of such tasks, where {2} is the least.',
          nameOf(why.key),
          formatPercent(why.estimate),
          formatPercent(why.floor),
        ),
        next,
      ].join(' ');
    case 'pinned':
    case 'pinnedMissing':
      return `${t('{0} cannot be used for this task.', nameOf(why.key))} ${next}`;
    default:
      return assertNever(why);
  }
}
