import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { RequestLog } from '../../provider/http/request-log.js';
import type { Secrets } from '../settings/secrets.js';
import { settings } from '../settings/settings.js';
import { VSCODE_LM } from '../language-models/models.js';
import { ModelRegistry } from './model-registry.js';
import { createSources } from './sources.js';

/** Where the name of the model that was chosen automatically and reported last is kept. */
const LAST_TOLD = 'gnomon.lastAutomaticModel';
/** Where the names of the models are kept that the user prefers. */
const FAVORITES = 'gnomon.favoriteModels';
/** The settings that models come from. */
const SECTIONS = ['gnomon.models', 'gnomon.providers', 'gnomon.anthropic'];

/**
 * The models of this window. Keeps up with settings, keys and the models that come and go in VS Code.
 * @param requests where requests to models are noted for the user
 */
export function createModels(context: vscode.ExtensionContext, secrets: Secrets, requests: RequestLog): ModelRegistry {
  const { anthropicBaseUrl, anthropicCacheDuration, customProviders, model, customModels } = settings;
  const models = new ModelRegistry({
    secrets,
    sources: () => createSources({ secrets, lm: vscode, anthropicBaseUrl, anthropicCacheDuration, customProviders, requests }),
    settings: { model, customModels },
    lastTold: {
      get: () => context.globalState.get<string>(LAST_TOLD),
      set: (name) => void context.globalState.update(LAST_TOLD, name),
    },
    favorites: {
      get: () => context.globalState.get<readonly string[]>(FAVORITES, []),
      set: (names) => void context.globalState.update(FAVORITES, names),
    },
  });
  const warn = warnOnce();
  warn(models.problems);
  models.onDidChange(() => warn(models.problems));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SECTIONS.some((section) => event.affectsConfiguration(section))) models.reload();
    }),
    vscode.lm.onDidChangeChatModels(() => models.expire(VSCODE_LM)),
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
