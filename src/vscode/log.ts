import type * as vscode from 'vscode';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';

/** The log as an output channel that the person can open. */
export function logTo(channel: vscode.LogOutputChannel): Log {
  return {
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => {
      if (error === undefined) channel.error(message);
      else channel.error(message, error instanceof Error ? (error.stack ?? error.message) : errorMessage(error));
    },
  };
}
