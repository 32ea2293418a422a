import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import type { Log } from '../domain/log.js';
import { redact } from '../text/redact.js';

/** Characters of one entry that are kept: an error may carry a whole answer of a server. */
const MAX_CHARACTERS = 100_000;
/** Variables of the environment whose values never get into the log, whatever they look like. */
const SECRET_VARIABLE = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

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

/** Stored keys and secrets in the environment. The longest first, so that a secret that is a prefix of another does not leave the rest of it. */
export function secretsOf(keys: ReadonlySet<string>, environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const values = Object.entries(environment).flatMap(([name, value]) => (value !== undefined && SECRET_VARIABLE.test(name) ? [value] : []));
  // A path says where a key is, not what it is.
  const inEnvironment = values.filter((value) => !/[\\/]/.test(value.slice(0, 3)));
  return [...new Set([...keys, ...inEnvironment])].sort((a, b) => b.length - a.length);
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[${text.length - MAX_CHARACTERS} more characters were left out]`;
}
