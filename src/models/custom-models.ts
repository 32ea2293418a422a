import { present } from '../domain/present.js';
import * as z from 'zod/mini';
import { t } from '../domain/l10n.js';
import { THINKING_EFFORTS, type ThinkingEffort, USUAL_EFFORTS } from '../domain/model/effort.js';
import type { ModelInfo } from '../domain/model/provider.js';

/** A model that the user described in the setting `gnomon.models`; what is left out is as the endpoint or Gnomon knows it. */
export interface CustomModel extends Partial<Omit<ModelInfo, 'provider' | 'id'>> {
  readonly provider: string;
  readonly id: string;
}

const SETTING = 'gnomon.models';
const words = z.string().check(z.minLength(1));
const tokens = z.int().check(z.minimum(1));
const dollars = z.number().check(z.minimum(0));

const schema = z.strictObject({
  provider: words,
  id: words,
  label: z.optional(words),
  contextWindow: z.optional(tokens),
  maxOutputTokens: z.optional(tokens),
  maxTokens: z.optional(tokens),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  supportsTools: z.optional(z.boolean()),
  supportsImages: z.optional(z.boolean()),
  supportsThinking: z.optional(z.boolean()),
  efforts: z.optional(z.array(z.enum(THINKING_EFFORTS))),
  price: z.optional(z.strictObject({ input: dollars, output: dollars, cacheRead: z.optional(dollars), cacheWrite: z.optional(dollars) })),
});

/**
 * Reads the setting. An entry that breaks a rule is left out and named with its field; the others count.
 * @param providers the names that an entry may give as its provider
 */
export function readCustomModels(value: unknown, providers: readonly string[]): Checked<readonly CustomModel[]> {
  if (value === undefined || value === null) return { value: [], problems: [] };
  if (!Array.isArray(value)) return { value: [], problems: [t('{0} must be an array.', SETTING)] };
  const read = value.map((entry, index) => readEntry(entry, `${SETTING}[${index}]`, providers));
  return { value: read.flatMap((each) => each.value), problems: read.flatMap((each) => each.problems) };
}

/** Model info with the user's settings merged onto it. */
export function withCustom(model: ModelInfo, custom: readonly CustomModel[]): ModelInfo {
  const own = custom.find(({ provider, id }) => provider === model.provider && id === model.id);
  return own === undefined ? model : { ...model, ...own };
}

function readEntry(entry: unknown, place: string, providers: readonly string[]): Checked<readonly CustomModel[]> {
  const parsed = z.safeParse(schema, entry, { reportInput: true });
  if (!parsed.success) return { value: [], problems: problemsOf(place, parsed.error.issues) };
  const { provider, contextWindow, maxOutputTokens } = parsed.data;
  if (!providers.includes(provider)) {
    return { value: [], problems: [t('{0}.provider: Unknown provider “{1}”. Available: {2}.', place, provider, providers.join(', '))] };
  }
  if (contextWindow !== undefined && maxOutputTokens !== undefined && maxOutputTokens > contextWindow) {
    return { value: [], problems: [t('{0}.maxOutputTokens: The value must not be greater than contextWindow.', place)] };
  }
  return { value: [customOf(parsed.data)], problems: [] };
}

function customOf({ price, efforts, supportsThinking, ...rest }: z.infer<typeof schema>): CustomModel {
  const given: CustomModel = present({ ...rest, efforts: effortsOf(efforts, supportsThinking) });
  if (price === undefined) return given;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  return { ...given, pricing: { input, output, cacheRead, cacheWrite } };
}

/** In the order that everything else expects, whatever order they were written in. */
function effortsOf(efforts: readonly ThinkingEffort[] | undefined, thinks: boolean | undefined): readonly ThinkingEffort[] | undefined {
  if (thinks === false) return [];
  if (efforts !== undefined) return THINKING_EFFORTS.filter((effort) => efforts.includes(effort));
  return thinks === true ? USUAL_EFFORTS : undefined;
}

/** Valid entries of a setting, and the problems of the others, each in a sentence that names entry and field. */
export interface Checked<T> {
  readonly value: T;
  readonly problems: readonly string[];
}

/** Problems of an entry of a setting, a sentence for each field. */
export function problemsOf(place: string, issues: readonly z.core.$ZodIssue[]): readonly string[] {
  return issues.map((issue) => `${[place, ...issue.path.map(String)].join('.')}: ${sentence(issue)}`);
}

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return t('Unknown property: {0}.', issue.keys.join(', '));
    case 'invalid_type':
      return issue.input === undefined ? t('This value is required.') : wrongType(issue.expected);
    case 'too_small':
      return issue.origin === 'string' ? t('The value must not be empty.') : t('The value must be at least {0}.', String(issue.minimum));
    case 'too_big':
      return t('The value must be at most {0}.', String(issue.maximum));
    case 'invalid_value':
      return t('The value must be one of: {0}.', issue.values.map(String).join(', '));
    default:
      return `${issue.message}.`;
  }
}

function wrongType(type: string): string {
  if (type === 'int') return t('The value must be a whole number.');
  if (type === 'boolean') return t('The value must be true or false.');
  return /^[aeiou]/.test(type) ? t('The value must be an {0}.', type) : t('The value must be a {0}.', type);
}
