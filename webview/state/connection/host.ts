import type { PanelMessage } from '../../../src/protocol/messages.js';

/** The editor as the page sees it: a way out for messages, and a little storage that outlives the page. */
export interface Host {
  /** Posts a message to the extension host. */
  post(message: PanelMessage): void;
  /** The state that the page stored last, also before a reload. Not validated. */
  getState(): unknown;
  /** Stores small values that can be cloned, each under its name; what is stored under other names stays. */
  setState(values: Readonly<Record<string, unknown>>): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(value: unknown): unknown;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Acquires the VS Code API. May be called once per page; VS Code throws the second time. */
export function acquireHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    getState: () => api.getState(),
    setState: (values) => {
      const before = api.getState();
      api.setState({ ...(typeof before === 'object' ? before : undefined), ...values });
    },
  };
}
