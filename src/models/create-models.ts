import type { HostPorts } from '../domain/host/host-ports.js';
import type { RequestLog } from '../provider/http/request-log.js';
import type { Secrets } from './keys/secrets.js';
import type { FileSettings } from '../customization/settings.js';
import type { UserSettings } from '../customization/user-settings.js';
import type { Disposable } from '../domain/host/disposable.js';
import { EDITOR_MODELS, type ModelSource } from './source.js';
import { ModelRegistry } from './model-registry.js';
import { createSources } from './sources.js';

/** Where the name of the model that was chosen automatically and reported last is kept. */
const LAST_TOLD = 'gnomon.lastAutomaticModel';
/** Where the names of the models are kept that the user prefers. */
const FAVORITES = 'gnomon.favoriteModels';

/** Services behind the models: settings, API keys, the request log, and models that the editor offers. */
export interface ModelsDeps {
  readonly ports: Pick<HostPorts, 'settings' | 'memory'>;
  readonly secrets: Secrets;
  /** Where requests to models are noted for the user. */
  readonly requests: RequestLog;
  readonly fileSettings: FileSettings;
  readonly userSettings: UserSettings;
  /** The models that the editor offers; absent where Gnomon runs in none. */
  readonly editor?: ModelSource & { readonly onDidChange: (listener: () => void) => () => void };
  /** Shows the user what is wrong with the settings of models, each problem once. */
  readonly warn: (problem: string) => void;
}

/** The models. Keeps up with settings, keys and the models that come and go in the editor. */
export function createModels(deps: ModelsDeps): Disposable & { readonly models: ModelRegistry } {
  const { ports, secrets, requests, fileSettings, userSettings, editor } = deps;
  const { anthropicBaseUrl, customProviders, wantedModels, customModels, allowedModels } = fileSettings;
  const { anthropicCacheDuration } = userSettings;
  const { global } = ports.memory;
  const ofEditor = editor === undefined ? {} : { editor };
  const models = new ModelRegistry({
    secrets,
    sources: () => createSources({ secrets, ...ofEditor, anthropicBaseUrl, anthropicCacheDuration, customProviders, requests }),
    settings: { wantedModels, customModels, allowedModels },
    lastTold: { get: () => textIn(global.get(LAST_TOLD)), set: (name) => void global.update(LAST_TOLD, name) },
    favorites: { get: () => textsIn(global.get(FAVORITES)), set: (names) => void global.update(FAVORITES, names) },
  });
  const warn = eachOnce(deps.warn);
  warn(models.problems);
  const sourcesNow = (): string => JSON.stringify([allowedModels(), customModels(), customProviders(), anthropicBaseUrl(), anthropicCacheDuration()]);
  let known = sourcesNow();
  const follow = (): void => {
    const now = sourcesNow();
    if (now === known) return;
    known = now;
    models.reload();
  };
  const stops = [
    models.onDidChange(() => warn(models.problems)),
    ports.settings.onDidChange('gnomon', follow),
    fileSettings.onDidChange(follow),
    ...(editor === undefined ? [] : [editor.onDidChange(() => models.expire(EDITOR_MODELS))]),
  ];
  return { models, dispose: () => stops.forEach((stop) => stop()) };
}

function eachOnce(warn: (problem: string) => void): (problems: readonly string[]) => void {
  const shown = new Set<string>();
  return (problems) => {
    for (const problem of problems) {
      if (shown.has(problem)) continue;
      shown.add(problem);
      warn(problem);
    }
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
