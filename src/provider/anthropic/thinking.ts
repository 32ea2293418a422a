import type Anthropic from '@anthropic-ai/sdk';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { Request } from '../../domain/model/provider.js';
import type { ModelTraits } from './traits.js';

/** The smallest budget that the API takes, in tokens. */
const MIN_BUDGET = 1_024;
/** Budgets for models that take one, in tokens. More than the largest rarely helps (Anthropic, "Extended thinking"). */
const BUDGETS: Readonly<Record<Exclude<ThinkingEffort, 'off'>, number>> = {
  minimal: MIN_BUDGET,
  low: 4_000,
  medium: 10_000,
  high: 24_000,
  xhigh: 24_000,
  max: 24_000,
};

/** The last version of the API that has sampling parameters; later ones answer them with 400. */
export const SAMPLING_VERSION = '2023-06-01';

/** The part of a request that says how the model thinks and samples. */
export interface ThinkingParams {
  readonly thinking?: Anthropic.ThinkingConfigParam;
  /** How much a model thinks that decides about it itself. */
  readonly output_config?: Anthropic.OutputConfig;
  /** In [0, 1]. Only requests of {@link SAMPLING_VERSION} may contain it, so the SDK's types leave it out. */
  readonly temperature?: number;
}

/**
 * Thinking and temperature in the form that the model takes. Temperature is left out where the model refuses it and
 * while it thinks; above 1, the API's limit, it is 1. Thinking is asked for as a summary: by default newer models send
 * only its signature.
 */
export function thinkingParams(request: Request, traits: ModelTraits, maxTokens: number): ThinkingParams {
  const { temperature, effort = 'off' } = request;
  const on = effort === 'off' ? undefined : thinkingOn(request, effort, traits, maxTokens);
  if (on !== undefined) return on;
  const off: ThinkingParams = traits.thinkingOff === 'omit' ? {} : { thinking: { type: traits.thinkingOff } };
  return temperature === undefined || !traits.sampling ? off : { ...off, temperature: Math.min(temperature, 1) };
}

function thinkingOn(request: Request, effort: keyof typeof BUDGETS, traits: ModelTraits, maxTokens: number): ThinkingParams | undefined {
  switch (traits.thinkingOn) {
    case 'none':
      return undefined;
    case 'adaptive':
      return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: effort === 'minimal' ? 'low' : effort } };
    case 'budget': {
      const budget = Math.min(BUDGETS[effort], Math.floor(maxTokens / 2));
      const possible = budget >= MIN_BUDGET && !continuesWithoutThinking(request);
      return possible ? { thinking: { type: 'enabled', budget_tokens: budget } } : undefined;
    }
  }
}

/**
 * Whether tool results are to be answered whose calls were made without thinking. With a budget the API refuses to
 * think then: the assistant turn must begin with thinking.
 */
function continuesWithoutThinking({ messages }: Request): boolean {
  if (messages.at(-1)?.role !== 'tool_result') return false;
  const turn = messages.findLast((message) => message.role === 'assistant');
  const first = turn?.content.find((block) => block.type !== 'text' || block.text.trim() !== '');
  return first?.type !== 'thinking' || first.signature === undefined;
}
