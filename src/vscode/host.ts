import type * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import type { StatusBar } from './status/status-bar.js';

/** What the composition is given by the activation. */
export interface Host {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly status: StatusBar;
  /** Whether the person sees the chat. */
  readonly chatVisible: () => boolean;
}
