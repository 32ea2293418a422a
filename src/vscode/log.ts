import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import { redact, secretsOf } from '../text/redact.js';

/** Characters of one entry that are kept: an error may carry a whole answer of a server. */
const MAX_CHARACTERS = 100_000;
/**
 * The log as an output channel that the user can open; credentials in it are replaced. Loaded at activation:
 * it imports nothing that is loaded later too, so that the activation is one file.
 * @param keys the stored keys that were used so far
 */
export function logTo(channel: vscode.LogOutputChannel, keys: ReadonlySet<string> = new Set(), environment: NodeJS.ProcessEnv = process.env): Log {
  const clean = (text: string): string => redact(shortened(text), secretsOf(keys, environment));
  return {
    info: (message) => channel.info(clean(message)),
    warn: (message) => channel.warn(clean(message)),
    error: (message, error) => {
      if (error === undefined) channel.error(clean(message));
      else channel.error(clean(message), clean(inspect(error)));
    },
  };
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[${text.length - MAX_CHARACTERS} more characters were left out]`;
}
