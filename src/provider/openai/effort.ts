import { assertNever } from '../../domain/assert-never.js';
import type { Request } from '../../domain/model/provider.js';
import type { EffortStyle } from './dialect.js';
import { openAiTraits } from './models/openai-family.js';

/** The part of a request that says how much the model reasons. */
export interface EffortParams {
  readonly reasoning_effort?: string;
  readonly reasoning?: { readonly effort: string };
  readonly thinking?: { readonly type: 'enabled' | 'disabled' };
}

/** The person's wish in the words of the server. Where off has no word of its own, nothing is said. */
export function effortParams(style: EffortStyle, model: string, { effort, tools }: Pick<Request, 'effort' | 'tools'>): EffortParams {
  const wanted = effort === undefined || effort === 'off' ? undefined : effort;
  switch (style) {
    case 'none':
      return {};
    case 'openai':
      return openAiEffort(model, wanted, tools.length > 0);
    case 'plain':
      return wanted === undefined ? {} : { reasoning_effort: wanted };
    case 'nested':
      return wanted === undefined ? {} : { reasoning: { effort: wanted } };
    case 'deepseek':
      return wanted === undefined ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, reasoning_effort: wanted };
    case 'mistral':
      if (wanted === undefined) return {};
      return { reasoning_effort: model.startsWith('mistral-large') ? wanted : 'high' };
    default:
      return assertNever(style);
  }
}

function openAiEffort(model: string, wanted: string | undefined, hasTools: boolean): EffortParams {
  const traits = openAiTraits(model);
  if (!traits.reasons) return {};
  // Also unsaid, their own default effort makes the API refuse the tools.
  const most = hasTools && traits.toolsOnlyWithoutReasoning ? 'none' : wanted;
  const effort = most ?? traits.least;
  return effort === undefined ? {} : { reasoning_effort: effort };
}
