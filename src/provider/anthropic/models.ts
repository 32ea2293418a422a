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
