import { basename, sep } from 'node:path';

/** A path that ripgrep has found. */
export interface FoundPath {
  /** For display and for programs; bytes that are not UTF-8 are written `\xff`. */
  readonly name: string;
  /** Orders paths as `rg --sort=path` does: name by name, each byte by byte. */
  readonly key: string;
}

/** A valid sequence of UTF-8, seen as one character a byte, or in the group a byte that begins none. */
const SEQUENCE = /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|([\x80-\xff])/g;

/** A path from the bytes of its name. */
export function foundPath(bytes: Buffer): FoundPath {
  const raw = bytes.toString('latin1');
  return { name: nameOf(bytes, raw), key: raw.replaceAll(sep, '\0') };
}

/** The path as a glob sees it: relative to where the search began, the name alone when that is the file itself. */
export function pathBelow(root: string): (path: string) => string {
  const start = root.endsWith(sep) ? root : root + sep;
  return (path) => {
    const rest = path.startsWith(start) ? path.slice(start.length) : basename(path);
    return sep === '/' ? rest : rest.replaceAll(sep, '/');
  };
}

function nameOf(bytes: Buffer, raw: string): string {
  const name = bytes.toString('utf8');
  if (!name.includes('\uFFFD')) return name;
  return raw.replace(SEQUENCE, (sequence: string, stray: string | undefined) => {
    const original = Buffer.from(sequence, 'latin1');
    const text = original.toString('utf8');
    return stray === undefined && Buffer.from(text, 'utf8').equals(original) ? text : escaped(original);
  });
}

function escaped(bytes: Buffer): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
