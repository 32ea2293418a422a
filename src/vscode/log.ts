import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import type { Log } from '../domain/log.js';

/**
 * The log as an output channel that the person can open. Loaded at activation: it imports nothing that is loaded later
 * too, so that the activation is one file.
 */
export function logTo(channel: vscode.LogOutputChannel): Log {
  return {
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message, error) => {
      if (error === undefined) channel.error(message);
      else channel.error(message, inspect(error));
    },
  };
}
