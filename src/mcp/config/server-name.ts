import { t } from '../../domain/l10n.js';
import { serverId } from '../../domain/mcp/tool-name.js';

/** Characters of a name: with `mcp__`, the name of a tool, and `__` it has to fit the names of tools that models accept. */
export const MAX_SERVER_NAME = 64;

/** What objects have by themselves: a server of such a name could be taken for it by code that uses names as keys. */
const INBORN: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Why a server cannot have a name; `undefined` when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('The server has no name.');
  if (name.length > MAX_SERVER_NAME) return t('The name of the server has more than {0} characters.', MAX_SERVER_NAME);
  const id = serverId(name);
  if (id === '') return t('The name of the server must contain a letter or digit from A to Z, a to z, or 0 to 9, so that its tools can be named.');
  if (INBORN.has(name) || INBORN.has(id))
    return t('This name cannot be used for a server, because it has a meaning of its own in JavaScript. Choose another one.');
  return undefined;
}
