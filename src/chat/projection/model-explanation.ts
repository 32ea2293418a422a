import { assertNever } from '../../domain/assert-never.js';
import { formatCost, formatNumber, formatPercent, t } from '../../domain/l10n.js';
import type { Candidate, Decision, PolicySource, Removal, Routing, RunnerUp } from '../../domain/model/routing.js';
import type { ProposedModel } from '../../domain/model/router.js';
import { present } from '../../domain/present.js';
import type { ModelProposal } from '../../protocol/host/composer-messages.js';
import type { ModelExplanation } from '../../protocol/host/transcript-messages.js';

/** Below that, an amount is written as less than it, and not as about. */
const LEAST_USD = 0.01;

type Explained = ModelExplanation['candidates'][number];
type Chosen = Extract<Decision, { type: 'chosen' }>;

/** How a turn came to its model, in words. @param nameOf display name of a model by its key */
export function explainRouting(routing: Routing, nameOf: (key: string) => string): ModelExplanation {
  if (routing.type === 'kept') {
    const notes = [t('Changing it would have lost {0} tokens in its cache, and the task is not of a very different kind.', formatNumber(routing.cachedTokens))];
    return { kind: routing.kind, chosen: t('{0} was kept.', nameOf(routing.key)), notes, candidates: [] };
  }
  const { kind, candidates, leftOut } = routing;
  const key = routing.type === 'chosen' ? routing.key : undefined;
  return {
    kind,
    chosen: routing.type === 'chosen' ? chosenText(routing, nameOf) : t('No model was chosen, so you were asked.'),
    notes: [...floorNotes(routing), ...(routing.type === 'chosen' ? costNotes(routing, nameOf) : [])],
    candidates: candidates.map((each) => explained(each, each.key === key)),
    ...present({ more: leftOut > 0 ? t('{0} more are not listed.', formatNumber(leftOut)) : undefined }),
  };
}

/** The model that a message gets, in words for before it is sent. @param instead of the one that was shown before, and can no longer be used */
export function explainProposal(proposed: ProposedModel, instead?: string): Omit<ModelProposal, 'id'> {
  const change = instead === undefined ? [] : [t('{0} can no longer be used for this.', instead)];
  if ('problem' in proposed) return present({ kind: proposed.routing?.kind, reason: [...change, proposed.problem.message].join(' ') });
  const { routing, running, costUsd, suitable } = proposed;
  const next = suitable[(suitable.indexOf(routing.key) + 1) % suitable.length];
  return {
    ...{ model: running.model.label, kind: routing.kind, reason: [...change, ...proposalReasons(routing)].join(' ') },
    cost: costUsd === undefined ? t('price unknown') : costUsd < LEAST_USD ? formatCost(costUsd) : t('about {0}', formatCost(costUsd)),
    ...present({ next: next === routing.key ? undefined : next }),
  };
}

function proposalReasons(routing: Exclude<Routing, { type: 'ask' }>): readonly string[] {
  if (routing.type === 'kept')
    return [t('The chat keeps it: another model would have to read {0} tokens again that are in its cache.', formatNumber(routing.cachedTokens))];
  const { rewrite } = routing;
  if (rewrite === undefined) return [proposalReason(routing)];
  const tokens = formatNumber(rewrite.tokens);
  const written =
    rewrite.usd === undefined
      ? t('It has to read {0} tokens again that are in the cache of another model.', tokens)
      : t('{0} of that is for {1} tokens that it has to read again, as they are in the cache of another model.', formatCost(rewrite.usd), tokens);
  return [proposalReason(routing), written];
}

function proposalReason({ because, key, candidates }: Chosen): string {
  if (because === 'pinned') return t('You have chosen it for this message.');
  const others = candidates.filter((each) => each.key !== key);
  if (others.every(({ removed }) => removed?.type === 'belowFloor')) return t('Of the models that can do this, it is the only one that is good enough.');
  if (others.every(({ removed }) => removed !== undefined)) return t('It is the only model that can be chosen now.');
  return t('Of the models that are good enough, it succeeds most for what it costs.');
}

function chosenText({ key, because, candidates }: Chosen, nameOf: (key: string) => string): string {
  if (because === 'pinned') return t('{0} was used because you have chosen it.', nameOf(key));
  const others = candidates.filter((each) => each.key !== key);
  if (others.every(({ removed }) => removed?.type === 'belowFloor'))
    return t('{0} was chosen: of the models that can do this, it is the only one that is good enough.', nameOf(key));
  if (others.every(({ removed }) => removed !== undefined)) return t('{0} was chosen: it is the only one that could be chosen. Below it is why.', nameOf(key));
  return t('{0} was chosen: of the models that are good enough, it succeeds most for what it costs.', nameOf(key));
}

function floorNotes({ floor }: Decision): readonly string[] {
  if (floor === undefined) return [];
  return [
    t(
      'Good enough is a model that is expected to succeed in {0} of such tasks, which is {1} of what is expected of the best one.',
      formatPercent(floor.least),
      formatPercent(floor.share),
    ),
  ];
}

function costNotes({ rewrite, runnerUp }: Chosen, nameOf: (key: string) => string): readonly string[] {
  const written =
    rewrite === undefined
      ? []
      : [
          rewrite.usd === undefined
            ? t('Another model had {0} tokens in its cache, which are written again.', formatNumber(rewrite.tokens))
            : t(
                'Another model had {0} tokens in its cache. To write them again costs {1}, which is part of the cost.',
                formatNumber(rewrite.tokens),
                formatCost(rewrite.usd),
              ),
        ];
  return [...written, ...(runnerUp === undefined ? [] : runnerUpNotes(runnerUp, nameOf(runnerUp.key)))];
}

/** Smaller differences show as none. */
const SHOWN = 0.005;

function runnerUpNotes({ cheaperByUsd, betterBy }: RunnerUp, name: string): readonly string[] {
  if ((cheaperByUsd ?? 1) < SHOWN && (betterBy ?? 1) < SHOWN) return [t('{0} is expected to do about as well for about the same cost.', name)];
  if (cheaperByUsd !== undefined && betterBy !== undefined)
    return [
      t('{0} would have been chosen if it cost {1} less, or succeeded in {2} more of such tasks.', name, formatCost(cheaperByUsd), formatPercent(betterBy)),
    ];
  if (cheaperByUsd !== undefined) return [t('{0} would have been chosen if it cost {1} less.', name, formatCost(cheaperByUsd))];
  if (betterBy !== undefined) return [t('{0} would have been chosen if it succeeded in {1} more of such tasks.', name, formatPercent(betterBy))];
  return [t('Next would have been {0}.', name)];
}

function explained({ label, host, expected, estimate, costUsd, removed }: Candidate, isChosen: boolean): Explained {
  return {
    name: host === undefined ? label : `${label} · ${host}`,
    expected: formatPercent(expected),
    basis: basisOf(estimate),
    cost: costUsd === undefined ? t('Price unknown') : formatCost(costUsd),
    isChosen,
    ...present({ removed: removed && removalText(removed) }),
  };
}

function basisOf({ source, observed }: Candidate['estimate']): string {
  const prior = source === 'published' ? t('From a published comparison') : t('Assumed from its price');
  return observed > 0 ? t('{0}, and from what came of tasks here (counting as {1})', prior, formatNumber(Math.round(observed))) : prior;
}

function removalText(removed: Removal): string {
  switch (removed.type) {
    case 'noKey':
      return t('No API key is set for it.');
    case 'notAllowed':
      return notAllowedText(removed.by);
    case 'noTools':
      return t('It cannot use tools.');
    case 'noImages':
      return t('It cannot read images.');
    case 'windowTooSmall':
      return t('Its context window of {0} tokens is too small for {1}.', formatNumber(removed.window), formatNumber(removed.needed));
    case 'unavailable':
      return t('It did not answer a moment ago.');
    case 'belowFloor':
      return t('It is not good enough for this kind of task.');
    default:
      return assertNever(removed);
  }
}

function notAllowedText(by: PolicySource): string {
  switch (by) {
    case 'settings':
      return t('Your settings do not allow it.');
    case 'agentFile':
      return t('The agent’s file does not allow it.');
    case 'organization':
      return t('Your organization does not allow it.');
    case 'workspace':
      return t('This workspace does not allow it.');
    default:
      return assertNever(by);
  }
}
