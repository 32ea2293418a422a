import type Anthropic from '@anthropic-ai/sdk';
import type { Request } from '../../domain/provider.js';
import type { ModelTraits } from './traits.js';

/** The smallest budget that the API takes, in tokens. */
const MIN_BUDGET = 1_024;
/** Enough for a hard step of work; more rarely helps (Anthropic, "Extended thinking"). In tokens. */
const USUAL_BUDGET = 16_000;

/** The last version of the API that has sampling parameters; later ones answer them with 400. */
export const SAMPLING_VERSION = '2023-06-01';

/** The part of a request that says how the model thinks and samples. */
export interface ThinkingParams {
  readonly thinking?: Anthropic.ThinkingConfigParam;
  /** In [0, 1]. Only requests of {@link SAMPLING_VERSION} may hold it, so the SDK's types leave it out. */
  readonly temperature?: number;
}

/**
 * Thinking and temperature in the form that the model takes. Temperature is left out where the model refuses it and
 * while it thinks; above 1, the API's limit, it is 1. Thinking is asked for as a summary: by default newer models send
 * only its signature.
 */
export function thinkingParams(request: Request, traits: ModelTraits, maxTokens: number): ThinkingParams {
  const on = request.effort !== undefined && request.effort !== 'off' ? thinkingOn(request, traits, maxTokens) : undefined;
  if (on !== undefined) return { thinking: on };
  const off: ThinkingParams = traits.thinkingOff === 'omit' ? {} : { thinking: { type: traits.thinkingOff } };
  const { temperature } = request;
  return temperature === undefined || !traits.sampling ? off : { ...off, temperature: Math.min(temperature, 1) };
}

function thinkingOn(request: Request, traits: ModelTraits, maxTokens: number): Anthropic.ThinkingConfigParam | undefined {
  switch (traits.thinkingOn) {
    case 'none':
      return undefined;
    case 'adaptive':
      return { type: 'adaptive', display: 'summarized' };
    case 'budget': {
      const budget = Math.min(USUAL_BUDGET, Math.floor(maxTokens / 2));
      return budget < MIN_BUDGET || continuesWithoutThinking(request) ? undefined : { type: 'enabled', budget_tokens: budget };
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
