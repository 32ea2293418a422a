import type { Bases } from './path-pattern.js';
import { namesBelow } from './path-pattern.js';
import { isRule, parseRule } from './rule.js';

/**
 * The rule that is about one file, or what lies below one folder: relative to the workspace folder where there is one,
 * else absolute. `undefined` for a name that cannot be written in a rule.
 */
export function pathRule(tool: 'Read' | 'Edit', { path, below }: { path: string; below: boolean }, { folders }: Bases): string | undefined {
  // Among several folders a relative rule would be about all of them.
  const [only = []] = folders.length === 1 ? folders : [];
  const inside = only.map((folder) => namesBelow(folder, path)).find((names) => names !== undefined && names.length > 0);
  const names = (inside ?? path.split(/[\\/]/).filter((name) => name !== '')).map(escapeName);
  const relative = names.join('/');
  // A name without a slash would fit in every folder.
  const start = inside === undefined ? '//' : names.length === 1 || /^[~!]/.test(relative) ? '/' : '';
  const text = `${tool}(${start}${relative}${below ? '/**' : ''})`;
  return isRule(parseRule(text)) ? text : undefined;
}

function escapeName(name: string): string {
  return name.replace(/[*?[\]{}\\]/g, '\\$&');
}
