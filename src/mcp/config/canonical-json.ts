import { createHash } from 'node:crypto';

/** Item of the work list: a value to serialize, or text to append as it is. */
type Rest = { readonly value: unknown; readonly depth: number } | string;

/**
 * The JSON text of a value that is the same for all values that are equal: the names of each object are sorted (by UTF-16 code units, as
 * in RFC 8785), and what is `undefined` is left out. Unlike packages for this and `JSON.stringify`, it does not call itself, so
 * that a schema of a hostile server cannot exhaust the stack.
 * @param indent spaces by which each level is indented, for people; without, there is no white space
 */
export function canonicalJson(value: unknown, indent = 0): string {
  const written: string[] = [];
  const rest: Rest[] = [{ value, depth: 0 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') written.push(next);
    else if (typeof next.value === 'object' && next.value !== null) rest.push(...partsOf(next.value, next.depth, indent).reverse());
    else written.push(next.value === undefined ? 'null' : JSON.stringify(next.value));
  }
  return written.join('');
}

/** SHA-256 in hex of the text that {@link canonicalJson} has for a value. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function partsOf(holder: object, depth: number, indent: number): Rest[] {
  const isList = Array.isArray(holder);
  const items: (readonly [string, unknown])[] = isList
    ? holder.map((item: unknown) => ['', item] as const)
    : Object.entries(holder)
        .filter(([, item]) => item !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1));
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return [`${open}${close}`];
  const line = (level: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * level)}`);
  const colon = indent === 0 ? ':' : ': ';
  const parts = items.flatMap(([name, item], index): Rest[] => [
    `${index === 0 ? open : ','}${line(depth + 1)}${isList ? '' : `${JSON.stringify(name)}${colon}`}`,
    { value: item, depth: depth + 1 },
  ]);
  return [...parts, `${line(depth)}${close}`];
}
