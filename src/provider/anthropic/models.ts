import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { catalogModels, pricingOf } from '../catalog/catalog.js';

/** Name of the provider, also the first half of its models' names. */
export const ANTHROPIC = 'anthropic';

/** The model for new sessions when the user chose none. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';

const ALL_EFFORTS: readonly ThinkingEffort[] = ['off', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The models that are offered, the newest of each line first, with sizes and prices from the catalog. */
export const anthropicModels: readonly ModelInfo[] = catalogModels(ANTHROPIC).map((known) => ({
  provider: ANTHROPIC,
  id: known.id,
  label: known.label,
  contextWindow: known.window,
  maxOutputTokens: known.output,
  efforts: known.efforts ?? ALL_EFFORTS,
  supportsImages: known.can.includes('images'),
  supportsTools: known.can.includes('tools'),
  ...pricingOf(known),
}));

/**
 * What is known of a model. `''` is the default model; a dated id is the same model as the id without its date.
 * An unknown id is taken as it is, with sizes that every model of its kind has: the server decides whether it exists.
 */
export function anthropicModelInfo(id: string): ModelInfo {
  const wanted = id === '' ? DEFAULT_MODEL : id;
  const known = anthropicModels.find((candidate) => candidate.id === undated(wanted));
  if (known !== undefined) return known.id === wanted ? known : { ...known, id: wanted };
  const claude = isClaude(wanted);
  const [contextWindow, maxOutputTokens] = claude ? [200_000, 32_000] : [128_000, 8_192];
  return {
    provider: ANTHROPIC,
    id: wanted,
    label: wanted,
    contextWindow,
    maxOutputTokens,
    windowAssumed: true,
    efforts: claude ? ALL_EFFORTS : [],
    supportsImages: claude,
    supportsTools: true,
  };
}

/** The id of a model without its release date: `claude-opus-4-5-20251101` is `claude-opus-4-5`. */
export function undated(id: string): string {
  return id.replace(/-20\d{6}$/, '');
}

/** Whether an id that is not in the table names one of Anthropic's models, such as one behind a gateway. */
export function isClaude(id: string): boolean {
  return id.includes('claude');
}

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

/**
 * Whether the API loads deferred tools for a model: for all from Claude 4.5 on, without a beta header. Of an unknown one, that is not
 * certain. Source: platform.claude.com, "Tool search tool", "Model compatibility", 2026: “Claude Opus 4.1 and earlier models don't
 * support the tool search tool.” Gateways are not mentioned there, so they are not asked to.
 */
export function loadsFoundTools(id: string): boolean {
  const wanted = undated(id === '' ? DEFAULT_MODEL : id);
  const [, major, minor = '0'] = /^claude-[a-z]+-(\d+)(?:-(\d+))?$/.exec(wanted) ?? [];
  const isListed = anthropicModels.some((model) => model.id === wanted);
  return isListed && (Number(major) > 4 || (Number(major) === 4 && Number(minor) >= 5));
}
