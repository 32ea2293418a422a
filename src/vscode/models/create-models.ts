import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { RequestLog } from '../../provider/http/request-log.js';
import type { Secrets } from '../../models/keys/secrets.js';
import type { WindowSettings } from '../../customization/settings.js';
import { settings } from '../settings/settings.js';
import { vsCodeLmSource } from '../language-models/provider.js';
import { EDITOR_MODELS } from '../../models/source.js';
import { ModelRegistry } from '../../models/model-registry.js';
import { createSources } from '../../models/sources.js';

/** Where the name of the model that was chosen automatically and reported last is kept. */
const LAST_TOLD = 'gnomon.lastAutomaticModel';
/** Where the names of the models are kept that the user prefers. */
const FAVORITES = 'gnomon.favoriteModels';

/** Dependencies of {@link createModels}. */
export interface ModelsDeps {
  readonly secrets: Secrets;
  /** Where requests to models are noted for the user. */
  readonly requests: RequestLog;
  readonly windowSettings: WindowSettings;
}

/** The models of this window. Keeps up with settings, keys and the models that come and go in VS Code. */
export function createModels(context: vscode.ExtensionContext, { secrets, requests, windowSettings }: ModelsDeps): ModelRegistry {
  const { anthropicBaseUrl, customProviders, wantedModels, customModels } = windowSettings;
  const { anthropicCacheDuration } = settings;
  const models = new ModelRegistry({
    secrets,
    sources: () => createSources({ secrets, editor: vsCodeLmSource(vscode), anthropicBaseUrl, anthropicCacheDuration, customProviders, requests }),
    settings: { wantedModels, customModels },
    lastTold: { get: () => context.globalState.get<string>(LAST_TOLD), set: (name) => void context.globalState.update(LAST_TOLD, name) },
    favorites: { get: () => context.globalState.get<readonly string[]>(FAVORITES, []), set: (names) => void context.globalState.update(FAVORITES, names) },
  });
  const warn = warnOnce();
  warn(models.problems);
  models.onDidChange(() => warn(models.problems));
  const sourcesNow = (): string => JSON.stringify([customModels(), customProviders(), anthropicBaseUrl(), anthropicCacheDuration()]);
  let known = sourcesNow();
  const follow = (): void => {
    const now = sourcesNow();
    if (now === known) return;
    known = now;
    models.reload();
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gnomon') && follow()),
    { dispose: windowSettings.onDidChange(follow) },
    vscode.lm.onDidChangeChatModels(() => models.expire(EDITOR_MODELS)),
  );
  return models;
}

/** Shows each problem of the settings to the user, once in the life of this window. */
function warnOnce(): (problems: readonly string[]) => void {
  const shown = new Set<string>();
  return (problems) => {
    for (const problem of problems) {
      if (shown.has(problem)) continue;
      shown.add(problem);
      const open = t('Open Settings');
      void vscode.window.showWarningMessage(`Gnomon: ${problem}`, open).then((answer) => {
        if (answer === open) void vscode.commands.executeCommand('workbench.action.openSettings', '@ext:gnomon.gnomon');
      });
    }
  };
}
