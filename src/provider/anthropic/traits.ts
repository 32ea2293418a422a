import { anthropicModels, isClaude, undated } from './models.js';

/** What a model takes in a request. Sending it anything else is answered with 400. */
export interface ModelTraits {
  /** How thinking is switched on: the model decides how much, a budget in tokens, or not at all. */
  readonly thinkingOn: 'adaptive' | 'budget' | 'none';
  /** How it is switched off: by saying nothing, which some always-thinking models take as on, or in their own word. */
  readonly thinkingOff: 'omit' | 'disabled' | 'between_tools';
  /** Whether `temperature` is taken, by the version of the API that has it. */
  readonly sampling: boolean;
}

const ALWAYS_THINKS: ModelTraits = { thinkingOn: 'adaptive', thinkingOff: 'omit', sampling: false };
const THINKS_BY_DEFAULT: ModelTraits = { thinkingOn: 'adaptive', thinkingOff: 'disabled', sampling: false };
const THINKS_WITH_BUDGET: ModelTraits = { thinkingOn: 'budget', thinkingOff: 'omit', sampling: true };

/** Source: platform.claude.com, "Troubleshooting thinking" and the migration guides of each model, October 2026. */
const TRAITS: Readonly<Record<string, ModelTraits>> = {
  'claude-sonnet-5-5': { thinkingOn: 'adaptive', thinkingOff: 'between_tools', sampling: false },
  'claude-haiku-5-5': THINKS_BY_DEFAULT,
  'claude-opus-5': THINKS_BY_DEFAULT,
  'claude-sonnet-5': THINKS_BY_DEFAULT,
  'claude-opus-4-6': { thinkingOn: 'adaptive', thinkingOff: 'omit', sampling: true },
  'claude-sonnet-4-6': { thinkingOn: 'adaptive', thinkingOff: 'omit', sampling: true },
  'claude-opus-4-5': THINKS_WITH_BUDGET,
  'claude-sonnet-4-5': THINKS_WITH_BUDGET,
  'claude-haiku-4-5': THINKS_WITH_BUDGET,
};

/** The traits of a model. An unknown one is treated like the newest ones, or as another vendor's behind a gateway. */
export function traitsOf(id: string): ModelTraits {
  const listed = anthropicModels.some((model) => model.id === undated(id));
  const fallback: ModelTraits = listed || isClaude(id) ? ALWAYS_THINKS : { thinkingOn: 'none', thinkingOff: 'omit', sampling: true };
  return TRAITS[undated(id)] ?? fallback;
}
