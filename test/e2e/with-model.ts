import { type ModelServer, startModelServer } from '../support/model-server/index.js';
import { type AppOptions, App, KEY } from './app.js';
import type { Chat } from './chat.js';

/** A VS Code whose model is a server of the test. */
export interface WithModel {
  readonly server: ModelServer;
  readonly app: App;
  readonly chat: Chat;
  stop(): Promise<void>;
}

/** What differs in a {@link WithModel} beside settings. */
interface WithModelOptions extends Pick<AppOptions, 'own' | 'workspace'> {
  /** Leaves it to VS Code whether the chat is shown; it is opened when absent. */
  readonly asItStarts?: boolean;
}

/** Starts VS Code with a model server as its model, and opens the chat. */
export async function startWithModel(
  settings: Readonly<Record<string, unknown>> = {},
  { asItStarts = false, ...options }: WithModelOptions = {},
): Promise<WithModel> {
  const server = await startModelServer({ apiKey: KEY, foreignThinking: true });
  const app = await App.start({ settings: { 'gnomon.anthropic.baseUrl': server.url, 'gnomon.model': 'anthropic/claude-sonnet-5-5', ...settings }, ...options });
  const stop = async (): Promise<void> => {
    await app.stop();
    await server.close();
  };
  return { server, app, chat: asItStarts ? app.chat : await app.openChat(), stop };
}
