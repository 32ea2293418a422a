/** Model that an agent requests. */
export type ModelWish =
  /** The model of the chat. */
  | { readonly type: 'inherit' }
  /** One that is chosen for each task. */
  | { readonly type: 'auto' }
  /** Any model of a family of Anthropic, such as `sonnet`; of several, the newest. */
  | { readonly type: 'family'; readonly family: ModelFamily }
  /** A model that is quick and cheap, whichever there is. */
  | { readonly type: 'fast' }
  /** The first of these models that there is. */
  | { readonly type: 'models'; readonly models: readonly WantedModel[] };

/** A model as a file names it. */
export interface WantedModel {
  /** An ID such as `claude-sonnet-4-6` or `provider/model`, or a name for people such as `Claude Sonnet 4.6`. */
  readonly name: string;
  /** Vendor by the name that VS Code uses, such as `copilot`. */
  readonly vendor?: string;
}

/** Names that Claude Code has for the newest model of a family (code.claude.com/docs/en/model-config). */
export const MODEL_FAMILIES = ['sonnet', 'opus', 'haiku', 'fable'] as const;
/** One of {@link MODEL_FAMILIES}. */
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/**
 * Parses the `model` of an {@link AgentFile}: `inherit`, a family or `fast` (cursor.com/docs/agent/subagents), `auto`, or
 * models with commas between them, the first of which is preferred (VS Code). All of them count: the readers of files limit the text, and say so.
 */
export function modelWish(model: string | undefined): ModelWish {
  const names = (model ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const [first = 'inherit', ...others] = names;
  // The length of the context window, such as `opus[1m]`, is for the settings of a model.
  const single = others.length === 0 ? first.replace(/\[[^[\]]*\]$/, '').toLowerCase() : '';
  if (['inherit', 'default'].includes(single)) return { type: 'inherit' };
  if (single === 'auto') return { type: 'auto' };
  if (single === 'fast') return { type: 'fast' };
  const family = MODEL_FAMILIES.find((each) => each === single || (each === 'opus' && single === 'opusplan'));
  if (family !== undefined) return { type: 'family', family };
  return { type: 'models', models: [first, ...others].map(wantedModel) };
}

function wantedModel(name: string): WantedModel {
  const [, before = name.replace(/\[[^[\]]*\]$/, ''), vendor] = /^(.*\S)\s+\(([^()]+)\)$/.exec(name) ?? [];
  return { name: before, ...(vendor === undefined ? {} : { vendor: vendor.trim() }) };
}
