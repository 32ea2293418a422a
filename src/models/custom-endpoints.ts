import { present } from '../domain/present.js';
import * as z from 'zod/mini';
import { t } from '../domain/l10n.js';
import { type OpenAiApi, OPENAI_APIS } from '../provider/openai/models/openai-family.js';
import { type Preset, PRESET_IDS, presetOf } from '../provider/openai/models/presets.js';
import { type Checked, problemsOf } from './custom-models.js';

/** A server that speaks chat completions or Responses, as it is set up here. */
export interface EndpointSettings {
  /** Name of the provider. */
  readonly id: string;
  readonly preset: Preset;
  /** `undefined`: the preset's own address. */
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the user set it up in the settings; one that does not answer is then reported. */
  readonly own: boolean;
}

const SETTING = 'gnomon.providers';
/** Reserved names. */
const TAKEN: Readonly<Record<string, () => string>> = {
  anthropic: () => t('Set the base URL in gnomon.anthropic.baseUrl instead.'),
  'vscode-lm': () => t('This name is reserved for models provided by VS Code.'),
  demo: () => t('This name is reserved for the offline demo.'),
};
/** The preset that a server of the user's own is like when they do not say: nothing beyond the common fields. */
const PLAIN_PRESET = 'vllm';

const schema = z.strictObject({
  baseUrl: z.optional(z.string().check(z.minLength(1))),
  label: z.optional(z.string().check(z.minLength(1))),
  headers: z.optional(z.record(z.string(), z.string())),
  dialect: z.optional(z.enum(PRESET_IDS)),
  keyRequired: z.optional(z.boolean()),
  api: z.optional(z.enum(OPENAI_APIS)),
});
type Entry = z.infer<typeof schema>;

/**
 * The presets and the user's own endpoints, in this order, as the setting has them. What breaks a rule is named with
 * its field and left out; a preset then stays as it is.
 */
export function readEndpoints(value: unknown, environment: NodeJS.ProcessEnv = process.env): Checked<readonly EndpointSettings[]> {
  const problems: string[] = [];
  const entries = new Map<string, Entry>();
  if (value !== undefined && value !== null && !isObject(value)) problems.push(t('{0} must be an object.', SETTING));
  for (const [id, raw] of Object.entries(isObject(value) ? value : {})) {
    const read = readEntry(id, raw);
    problems.push(...read.problems);
    if (read.value !== undefined) entries.set(id, read.value);
  }
  const presets = PRESET_IDS.map((id) => ofPreset(presetOf(id), withEnvironment(id, entries.get(id), environment)));
  const own = [...entries].filter(([id]) => !isPreset(id)).map(([id, entry]) => ofEntry(id, entry));
  return { value: [...presets, ...own], problems };
}

/** OpenAI's address can be in the environment, as its own tools have it. */
function withEnvironment(id: string, entry: Entry | undefined, environment: NodeJS.ProcessEnv): Entry | undefined {
  const address = environment['OPENAI_BASE_URL'] ?? '';
  return id === 'openai' && entry?.baseUrl === undefined && isWebAddress(address) ? { ...entry, baseUrl: address } : entry;
}

/** Warning about an address that would receive keys and code. */
export function addressWarning(address: string | undefined, setting: string): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' || isPrivateHost(url.hostname)) return undefined;
  return t('{0}: {1} uses unencrypted HTTP, so others on the network can read your API key and your code. Use an https:// URL.', setting, url.host);
}

function readEntry(id: string, raw: unknown): Checked<Entry | undefined> {
  const place = `${SETTING}.${id}`;
  const refuse = (...problems: string[]): Checked<undefined> => ({ value: undefined, problems });
  if (Object.hasOwn(TAKEN, id)) return refuse(`${place}: ${TAKEN[id]?.() ?? ''}`);
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(id)) return refuse(t('{0}: Names can contain only letters, digits, dots, dashes, and underscores.', place));
  const parsed = z.safeParse(schema, raw, { reportInput: true });
  if (!parsed.success) return refuse(...problemsOf(place, parsed.error.issues));
  const { baseUrl } = parsed.data;
  if (baseUrl === undefined && !isPreset(id)) return refuse(`${place}.baseUrl: ${t('This value is required.')}`);
  if (baseUrl !== undefined && !isWebAddress(baseUrl)) return refuse(`${place}.baseUrl: ${t('The value must be a URL that begins with https:// or http://.')}`);
  const warning = addressWarning(baseUrl, `${place}.baseUrl`);
  return { value: parsed.data, problems: warning === undefined ? [] : [warning] };
}

function ofPreset(preset: Preset, entry: Entry | undefined): EndpointSettings {
  const api = apiOf(entry ?? {});
  return {
    id: preset.id,
    preset: {
      ...preset,
      ...present({ api, label: entry?.label }),
      ...(entry?.dialect === undefined ? {} : { dialect: presetOf(entry.dialect).dialect }),
      needsKey: entry?.keyRequired ?? preset.needsKey,
    },
    baseUrl: entry?.baseUrl,
    headers: entry?.headers ?? {},
    own: entry?.baseUrl !== undefined,
  };
}

function ofEntry(id: string, entry: Entry): EndpointSettings {
  const { baseUrl = '', label = id, headers = {}, dialect = PLAIN_PRESET, keyRequired = false } = entry;
  const like = presetOf(dialect);
  const api = apiOf(entry);
  const preset = { id: like.id, label, baseUrl, needsKey: keyRequired, local: !keyRequired, dialect: like.dialect, ...present({ api }) };
  return { id, preset, baseUrl, headers, own: true };
}

/** OpenAI's own hosts, those of its regions among them: `eu.api.openai.com`. */
const OPENAI_HOST = /(^|\.)api\.openai\.com$/;

/**
 * The API of an endpoint, as it is set or as its address ends. At OpenAI each model has its own (`undefined`); any other
 * server is most likely to know chat completions.
 */
function apiOf({ api, baseUrl }: Entry): OpenAiApi | undefined {
  if (api !== undefined || baseUrl === undefined) return api;
  const { hostname, pathname } = new URL(baseUrl);
  if (/\/responses\/*$/.test(pathname)) return 'responses';
  return OPENAI_HOST.test(hostname) && !/\/chat\/completions\/*$/.test(pathname) ? undefined : 'chat';
}

function isPreset(id: string): boolean {
  return PRESET_IDS.some((preset) => preset === id);
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|lan|internal|home\.arpa|test)$/;
const PRIVATE_V4 = /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\./;
/** Loopback, unique local (fc00::/7) and link-local (fe80::/10) addresses, as `URL` writes them. */
const PRIVATE_V6 = /^\[(::1\]|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;

/** Whether a host, as `URL` gives it, is this machine or one of a private network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return PRIVATE_V6.test(host);
  return /^\d+(\.\d+){3}$/.test(host) ? PRIVATE_V4.test(host) : PRIVATE_NAME.test(host);
}
