import type { DOUBT } from '../doubts.js';

/** Parts of the shell that change what later commands mean, or that run text. No rule with a prefix lets them pass. */
const STATE = [
  ...['export', 'declare', 'typeset', 'local', 'readonly', 'unset', 'mapfile', 'readarray', 'getopts', 'let'],
  ...['set', 'shopt', 'alias', 'unalias', 'enable', 'hash', 'complete', 'compgen', 'compopt', 'bind', 'trap', 'umask', 'ulimit'],
];
const SCRIPTS = ['.', 'source', 'eval', 'fc', 'history', 'jobs', 'disown', 'suspend', 'logout', 'emulate', 'zmodload', 'autoload'];

/** The doubt that each of them raises. */
export const BUILTIN_DOUBTS: ReadonlyMap<string, keyof typeof DOUBT> = new Map([
  ...STATE.map((name) => [name, 'state'] as const),
  ...SCRIPTS.map((name) => [name, 'script'] as const),
]);
