import { escapeHidden } from '../domain/hidden-characters.js';
import { headOf } from './show.js';

/** Characters of a name in a path that are shown. */
const MAX_NAME = 80;

/** A path of keys for people, such as `mcpServers.db.args[1]`; names that could be mistaken are in quotes, and nothing in them is invisible. */
export function keyPath(path: readonly (string | number)[]): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : named(step, index === 0))).join('');
}

/** A name as it is shown in a message: on one line, without invisible characters, and not endless. */
export function shownName(name: string): string {
  return escapeHidden(name.length > MAX_NAME ? `${headOf(name, MAX_NAME)}…` : name);
}

function named(name: string, isFirst: boolean): string {
  if (!/^[\w$-]+$/.test(name) || name.length > MAX_NAME) return `["${shownName(name)}"]`;
  return isFirst ? name : `.${name}`;
}
