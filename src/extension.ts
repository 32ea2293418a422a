import * as vscode from 'vscode';
import { t } from './domain/l10n.js';
import type { Log } from './domain/log.js';
import { GnomonCodeActions } from './vscode/actions/code-actions.js';
import { createExports } from './api/exports.js';
import type { GnomonExports } from './api/gnomon-api.js';
import { ExtensionServers } from './api/extension-servers.js';
import { OfferedTools } from './api/offered-tools.js';
import { CHAT_VIEW, ChatViewProvider } from './vscode/chat/pane/chat-view-provider.js';
import { Places } from './chat/pane/place.js';
import { SESSION_TAB, SessionTabs } from './vscode/chat/pane/session-tabs.js';
import { registerCommands } from './vscode/composition/register-commands.js';
import { composeCompletions } from './vscode/composition/compose-completions.js';
import { DeepLinks } from './vscode/deep-links/deep-links.js';
import type { Host } from './vscode/composition/host.js';
import { showPending, storageIn } from './vscode/composition/pending-review.js';
import { logTo } from './vscode/log.js';
import type { Runtime } from './vscode/composition/runtime.js';
import { ProposalFiles } from './vscode/edits/proposals/proposal-files.js';
import { EditPrompt } from './vscode/inline-edit/edit-prompt.js';
import { publishServers, publishingWanted } from './vscode/mcp/publish.js';
import { StatusBar } from './vscode/status/status-bar.js';
import { offerCommand } from './vscode/terminal/offer-command.js';

let runtime: Promise<Runtime> | undefined;

/** Registers what VS Code can call. Everything behind it is loaded on first use. Returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): GnomonExports {
  const channel = vscode.window.createOutputChannel('Gnomon', { log: true });
  const [keys, status] = [new Set<string>(), new StatusBar()];
  const log = logTo(channel, keys);
  const proposalFiles = new ProposalFiles();
  const [offered, extensionServers] = [new OfferedTools(), new ExtensionServers()];
  const review = onceLoaded(async () => (await import('./vscode/composition/compose-review.js')).composeReview({ context, log, proposalFiles }));
  const editPrompt = new EditPrompt(async () => (await load()).inline);
  const load = (): Promise<Runtime> =>
    loadRuntime({ context, log, keys, status, review, proposalFiles, editPrompt, sidebar, tabs, places, offered, extensionServers });
  const failed = failureOf(log, channel);
  const sidebar: ChatViewProvider = new ChatViewProvider({
    extensionUri: context.extensionUri,
    connect: async (webview) => (await load()).panes.sidebar.connect(webview),
    failed,
    moved: () => places.moved(),
  });
  const places = new Places(sidebar);
  const tabs = new SessionTabs({ extensionUri: context.extensionUri, places, connect: async (tab, id) => (await load()).connectTab(tab, id), failed });
  context.subscriptions.push(
    channel,
    status,
    editPrompt,
    proposalFiles.register(),
    GnomonCodeActions.register(),
    vscode.window.registerUriHandler(new DeepLinks(load)),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, sidebar),
    vscode.window.registerWebviewPanelSerializer(SESSION_TAB, tabs),
    composeCompletions(load, log),
    offerCommand(context),
    publishServers({ wanted: publishingWanted, load: async () => (await load()).approvedServers }),
    ...registerCommands({ load, places, tabs, editPrompt, showLog: () => channel.show() }),
  );
  sidebar.introduce(context.globalState).catch((error: unknown) => log.error('The chat could not be shown', error));
  void showPending(storageIn(context), review, log);
  return createExports({ load, offered, servers: extensionServers, log, installed: (id) => vscode.extensions.getExtension(id)?.id });
}

/** Loads something when it is first asked for. After a failure the next call tries again. */
function onceLoaded<T>(create: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= create().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}

/** Tells that the rest could not be built, with the way to the log. */
function failureOf(log: Log, channel: vscode.OutputChannel): (error: unknown) => void {
  return (error) => {
    log.error('The chat could not be started', error);
    void vscode.window.showErrorMessage(t('Gnomon failed to start. See the log for details.'), t('Show Log')).then((answer) => {
      if (answer !== undefined) channel.show();
    });
  };
}

/** Builds the rest on the first call. After a failure the next call tries again. */
function loadRuntime(host: Host): Promise<Runtime> {
  runtime ??= import('./vscode/composition/compose.js')
    .then(({ compose }) => compose(host))
    .catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
  return runtime;
}

/** Stops what runs and saves every conversation. */
export async function deactivate(): Promise<void> {
  await (await runtime)?.close();
}
