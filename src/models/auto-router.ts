import { errorMessage, NoModelError } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import { modelKey } from '../domain/model/model-key.js';
import { type ModelInfo, priceOf } from '../domain/model/provider.js';
import type { RoutedModel, RoutedTask, Router, SideWork, WorkModel } from '../domain/model/router.js';
import type { Decision, Routing, TaskNeeds } from '../domain/model/routing.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import { present } from '../domain/present.js';
import type { Availability, ByModelAndKind, Observations } from '../routing/estimates.js';
import type { CandidateFacts, RouteFacts } from '../routing/facts.js';
import type { ModelRegistry } from './model-registry.js';
import { chosenFor, noneFor, SIDE_WORK } from './side-work.js';
import { whyNoModel } from './why-no-model.js';

/** Tokens that a task is taken to write, and those that are kept free for one answer: of a real task, nothing is known before. */
const OUTPUT = { expected: 4_000, reserved: 8_000 };

/** The settings of the automatic choice. */
export interface RoutingSettings {
  /** Models that may be chosen, as `provider/model` or the name of a provider. Empty: see {@link AutoRouter}. */
  readonly models: () => readonly string[];
  /** The floors that the user has set, as shares from 0 to 1. */
  readonly floors: () => Partial<Readonly<Record<TaskKind, number>>>;
  /** Whether another model that is good enough goes on where one does not answer. */
  readonly fallback: () => boolean;
}

/** The models that there are, and how the user wants them chosen. */
export interface AutoRouterDeps {
  readonly models: Pick<ModelRegistry, 'allEntries' | 'choose' | 'find' | 'isFavorite' | 'isListed' | 'isSetUp' | 'listed' | 'refusals'>;
  readonly settings: RoutingSettings;
  /** What came of earlier tasks. Does not reject. Default: nothing is known. */
  readonly observations?: () => Promise<ByModelAndKind<Observations>>;
  readonly clock: Clock;
}

/** What is loaded when a model is first chosen automatically. */
type Rules = Awaited<ReturnType<typeof loadRules>>;

/**
 * Chooses models by the rules of `src/routing`, among those that the settings name, else the user’s favorites where these are two or more, else those of the
 * provider of the session’s model that can call tools: a small list does better than all there is (LLMRouterBench, arXiv 2601.07206).
 */
export class AutoRouter implements Router {
  private readonly availability = new Map<string, Availability>();
  private rules: Rules | undefined;
  /** What came of earlier tasks, as it was when a model was last chosen. */
  private observed: ByModelAndKind<Observations> = {};
  private hasWaited = false;

  constructor(private readonly deps: AutoRouterDeps) {}

  async choose(task: RoutedTask, signal: AbortSignal): Promise<RoutedModel> {
    const { models } = this.deps;
    // Waited for once: a list that has not come by then comes for a later task. Who stopped it has not waited.
    if (!this.hasWaited) await models.listed(signal);
    this.hasWaited ||= !signal.aborted;
    const rules = (this.rules ??= await loadRules());
    const kind = task.kind ?? rules.kindOfPrompt(task.words, present({ planOnly: task.planOnly, usual: task.last }));
    if (task.triesAgain !== undefined) this.availability.delete(task.triesAgain);
    const needs = needsOf(task);
    const request = { kind, ...needs };
    this.observed = (await this.deps.observations?.()) ?? {};
    const facts = this.facts(this.pool(task.current), this.observed, rules);
    const decide = (pin?: string): Decision => ({
      ...rules.route({ ...request, ...present({ pin }) }, facts),
      needs: { ...needs, attemptUsd: facts.attemptUsd },
    });
    const ranked = decide();
    const own = keptModel(task, kind, rules, (key) => rules.isAdmissible(key, request, facts)) ?? ranked;
    const isOwn = task.pin === undefined || (own.type !== 'ask' && own.key === task.pin);
    const decision = isOwn ? own : decide(task.pin);
    if (decision.type === 'ask')
      return {
        routing: decision,
        problem: new NoModelError(
          whyNoModel(decision, (key) => models.find(key)?.label ?? key),
          decision.why,
        ),
      };
    const { provider, model } = await this.deps.models.choose(decision.key);
    const { candidates } = decision.type === 'chosen' ? decision : ranked;
    return {
      routing: decision,
      running: { provider, model },
      suitable: ranked.candidates.filter(({ removed }) => removed === undefined).map(({ key }) => key),
      ...present({ costUsd: candidates.find(({ key }) => key === decision.key)?.costUsd }),
    };
  }

  get waits(): boolean {
    return !this.hasWaited && !this.deps.models.isListed;
  }

  holds(routing: RoutedModel['routing'], task: RoutedTask): boolean {
    if (routing.type === 'ask' || this.rules === undefined) return false;
    const request = { kind: routing.kind, ...needsOf(task) };
    const facts = this.facts(this.pool(task.current), this.observed, this.rules);
    const isPinned = routing.type === 'chosen' && routing.because === 'pinned';
    return isPinned ? this.rules.route({ ...request, pin: routing.key }, facts).type === 'chosen' : this.rules.isAdmissible(routing.key, request, facts);
  }

  async forWork(work: SideWork, own: Pick<WorkModel, 'provider' | 'model'>, signal: AbortSignal, inputTokens?: number): Promise<WorkModel> {
    const { kind, attemptUsd, outputTokens, ...usual } = SIDE_WORK[work];
    try {
      const rules = (this.rules ??= await loadRules());
      const sent = { inputTokens: inputTokens ?? usual.inputTokens, expectedOutputTokens: outputTokens, reservedOutputTokens: outputTokens };
      const request = { kind, current: modelKey(own.model), ...sent, needsTools: false, needsImages: false };
      const decision = rules.route(request, { ...this.facts(this.pool(own.model), (await this.deps.observations?.()) ?? {}, rules), attemptUsd });
      signal.throwIfAborted();
      if (decision.type === 'ask') return { ...own, reason: noneFor(work) };
      const { provider, model } = await this.deps.models.choose(decision.key);
      return { provider, model, reason: chosenFor(work) };
    } catch (error) {
      return { ...own, reason: noneFor(work, errorMessage(error)) };
    }
  }

  mayStandIn(): boolean {
    return this.deps.settings.fallback();
  }

  answered(key: string, well: boolean): void {
    if (well) this.availability.delete(key);
    // The rules are there where a model was chosen by them, and one that the user has chosen is asked again whenever they want.
    else if (this.rules !== undefined) this.availability.set(key, this.rules.afterFailure(this.availability.get(key), this.deps.clock.monotonic()));
  }

  private pool(current: ModelInfo): readonly ModelInfo[] {
    const { models, settings } = this.deps;
    const all = models.allEntries().flatMap((entry) => entry.models);
    const wanted = settings.models();
    if (wanted.length > 0) {
      return all.filter((model) => wanted.includes(modelKey(model)) || wanted.includes(model.provider));
    }
    const favorites = all.filter((model) => models.isFavorite(modelKey(model)));
    if (favorites.length > 1) return favorites;
    const beside = all.filter((model) => model.provider === current.provider && model.supportsTools);
    return beside.some((model) => modelKey(model) === modelKey(current)) ? beside : [current, ...beside];
  }

  private facts(pool: readonly ModelInfo[], observations: ByModelAndKind<Observations>, rules: Rules): RouteFacts {
    const { DEFAULT_FLOORS, ATTEMPT_USD, HALF_LIFE_MS, estimatesOf, priorsOf, unavailableFor } = rules;
    const now = this.deps.clock.monotonic();
    const refusal = this.deps.models.refusals();
    return {
      candidates: pool.map((model) => {
        const forMs = unavailableFor(this.availability.get(modelKey(model)), now);
        return candidateOf(model, forMs, this.deps.models.isSetUp(model.provider));
      }),
      policy: pool.flatMap((model) => {
        const refused = refusal(model);
        return refused === undefined ? [] : [{ by: refused.by, refused: [modelKey(model)] }];
      }),
      floors: { ...DEFAULT_FLOORS, ...this.deps.settings.floors() },
      estimates: estimatesOf(priorsOf(pool), observations),
      attemptUsd: ATTEMPT_USD,
      halfLifeMs: HALF_LIFE_MS,
    };
  }
}

/** The rules, with the words by which kinds of tasks are recognized: nothing of them is loaded while nobody uses Auto. */
async function loadRules() {
  const [{ kindOfPrompt }, { isAdmissible, route }, { ATTEMPT_USD, DEFAULT_FLOORS }, estimates, { priorsOf }, { mayChoose }] = await Promise.all([
    import('../routing/kind-of-prompt.js'),
    import('../routing/route.js'),
    import('../routing/facts.js'),
    import('../routing/estimates.js'),
    import('../routing/priors.js'),
    import('../routing/boundaries.js'),
  ]);
  const { HALF_LIFE_MS, afterFailure, estimatesOf, unavailableFor } = estimates;
  return { kindOfPrompt, isAdmissible, route, ATTEMPT_USD, DEFAULT_FLOORS, HALF_LIFE_MS, afterFailure, estimatesOf, unavailableFor, priorsOf, mayChoose };
}

function needsOf({ tokens, hasImages, cache, current }: RoutedTask): TaskNeeds {
  return {
    current: modelKey(current),
    inputTokens: tokens,
    reservedOutputTokens: OUTPUT.reserved,
    expectedOutputTokens: OUTPUT.expected,
    needsTools: true,
    needsImages: hasImages,
    ...(cache === undefined || cache.tokens === 0 ? {} : { cached: { tokens: cache.tokens, key: cache.key } }),
  };
}

/** The model that the session has, where changing it would lose a cache and it still is one that could be chosen. */
function keptModel(
  task: RoutedTask,
  kind: TaskKind,
  { mayChoose }: Rules,
  isAdmissible: (key: string) => boolean,
): Extract<Routing, { type: 'kept' }> | undefined {
  const key = modelKey(task.current);
  if (task.isAnew === true || task.cache?.key !== key) return undefined;
  const { tokens, ageMs, lifetimeMs } = task.cache;
  const state = { cachedTokens: tokens, cacheAgeMs: ageMs, isSummarized: false, kind, ...present({ cacheLifetimeMs: lifetimeMs, lastKind: task.last }) };
  return mayChoose(state).may || !isAdmissible(key) ? undefined : { type: 'kept', kind, key, cachedTokens: tokens };
}

function candidateOf(model: ModelInfo, unavailableForMs: number, hasKey: boolean): CandidateFacts {
  return {
    key: modelKey(model),
    label: model.label,
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    tools: model.supportsTools,
    images: model.supportsImages,
    hasKey,
    unavailableForMs,
    ...present({ price: priceOf(model) }),
  };
}
