import { errorMessage } from '../../src/domain/errors.js';
import type { ModelInfo, Provider } from '../../src/domain/model/provider.js';
import { anthropicModelInfo } from '../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../src/provider/anthropic/provider.js';
import { openAiModelInfo, withServedWindow } from '../../src/provider/openai/models/models.js';
import { type Preset, PRESET_IDS, type PresetId, presetOf } from '../../src/provider/openai/models/presets.js';
import { listModels } from '../../src/provider/openai/models/list-models.js';
import { createOpenAiProvider, type OpenAiOptions } from '../../src/provider/openai/provider.js';
import type { Options } from './options.js';

/** A model with what runs it. */
export interface ChosenModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Wishes = Pick<Options, 'provider' | 'model' | 'baseUrl' | 'keyVariable' | 'api' | 'price'>;

/** The providers with keys, in the order in which they are looked for. */
const KEYED: readonly PresetId[] = ['openai', 'openrouter', 'gemini', 'mistral', 'deepseek'];
/** The preset of a server of which nothing is known: nothing beyond the common fields, as in the product. */
const PLAIN_PRESET = 'vllm';
/** Ports by which local servers are known when nothing else is said. */
const PORTS: Readonly<Record<string, PresetId>> = { 11434: 'ollama', 1234: 'lmstudio' };

/**
 * The model that is to be measured; `undefined` when nothing says which and there is no key.
 * @throws Error saying what is missing.
 */
export async function chooseModel(wishes: Wishes, env: Environment): Promise<ChosenModel | undefined> {
  const { provider, model } = named(wishes);
  const chosen =
    wishes.baseUrl !== undefined && provider !== 'anthropic'
      ? await onServer({ ...wishes, model }, provider, env)
      : await atProvider({ ...wishes, provider, model }, env);
  if (chosen === undefined || wishes.price === undefined) return chosen;
  return { ...chosen, model: { ...chosen.model, pricing: wishes.price } };
}

/** `anthropic/claude-…` names the provider, too; with a provider or an address the whole is the id. */
function named({ provider, model, baseUrl }: Wishes): Pick<Wishes, 'provider' | 'model'> {
  const [, first, rest] = /^([a-z]+)\/(.+)$/.exec(model ?? '') ?? [];
  if (provider !== undefined || baseUrl !== undefined || rest === undefined) return { provider, model };
  const found = (['anthropic', ...PRESET_IDS] as const).find((id) => id === first);
  return found === undefined ? { provider, model } : { provider: found, model: rest };
}

async function atProvider(wishes: Wishes, env: Environment): Promise<ChosenModel | undefined> {
  const provider = wishes.provider ?? withKey(env);
  if (provider === undefined) {
    if (wishes.model === undefined) return undefined;
    throw new Error('There is no key in the environment and no --base-url, so there is nothing that runs this model.');
  }
  if (provider === 'anthropic') return atAnthropic(wishes, env);
  const preset = presetOf(provider);
  const key = keyOf(preset.keyVariable, env);
  if (preset.needsKey && key === undefined) throw new Error(`${preset.label} needs a key in ${preset.keyVariable ?? 'the environment'}.`);
  return openAi(preset, wishes, { key, baseUrl: provider === 'openai' ? env['OPENAI_BASE_URL'] : undefined });
}

function withKey(env: Environment): 'anthropic' | PresetId | undefined {
  if (keyOf('ANTHROPIC_API_KEY', env) !== undefined) return 'anthropic';
  return KEYED.find((id) => keyOf(presetOf(id).keyVariable, env) !== undefined);
}

function keyOf(variable: string | undefined, env: Environment): string | undefined {
  const key = variable === undefined ? undefined : env[variable]?.trim();
  return key === '' ? undefined : key;
}

function atAnthropic({ model, baseUrl, keyVariable }: Wishes, env: Environment): ChosenModel {
  const variable = keyVariable ?? (baseUrl === undefined ? 'ANTHROPIC_API_KEY' : undefined);
  if (variable === undefined) throw new Error('Name the variable with the key of this server with --key-variable.');
  const key = keyOf(variable, env);
  if (key === undefined) throw new Error(`Anthropic needs a key in ${variable}.`);
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve(key), baseUrl: () => baseUrl ?? env['ANTHROPIC_BASE_URL'] });
  return { provider, model: anthropicModelInfo(model ?? '') };
}

/** A server by its address. It gets a key only if one is named for it: keys in the environment are for their own services. */
async function onServer(wishes: Wishes, preset: PresetId | undefined, env: Environment): Promise<ChosenModel> {
  const { baseUrl = '', keyVariable, api = 'chat' } = wishes;
  const key = keyOf(keyVariable, env);
  if (keyVariable !== undefined && key === undefined) throw new Error(`There is no key in ${keyVariable}.`);
  const like = presetOf(preset ?? PORTS[new URL(baseUrl).port] ?? PLAIN_PRESET);
  return openAi({ ...like, baseUrl, needsKey: false, api }, wishes, { key, baseUrl });
}

async function openAi(
  preset: Preset,
  wishes: Wishes,
  { key, baseUrl }: { readonly key: string | undefined; readonly baseUrl: string | undefined },
): Promise<ChosenModel> {
  const options: OpenAiOptions = { name: preset.id, preset, apiKey: () => Promise.resolve(key), baseUrl: () => baseUrl };
  // Sizes and prices are in the list; a server without one runs models all the same.
  const listed = await listModels(options, new AbortController().signal).catch((error: unknown) => errorMessage(error));
  const id = wishes.model ?? preset.defaultModel ?? (typeof listed === 'string' ? undefined : listed[0]?.id);
  if (id === undefined)
    throw new Error(`The server does not say which models it has, so --model is needed. ${typeof listed === 'string' ? listed : ''}`.trim());
  // Ollama lists `qwen3` as `qwen3:latest`, and takes both.
  const found = typeof listed === 'string' ? undefined : (listed.find((each) => each.id === id) ?? listed.find((each) => each.id === `${id}:latest`));
  const model = found === undefined ? openAiModelInfo(preset.id, preset, id) : { ...found, id };
  return { provider: withServedWindow(createOpenAiProvider(options), options), model };
}
