import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Whether a path is a folder or lies below it; both absolute and normalized. */
export function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** An absolute path, and all folders that it lies in. */
export function withFoldersAbove(path: string): readonly string[] {
  const all = [resolve(path)];
  for (let above = dirname(all[0] ?? path); above !== all.at(-1); above = dirname(above)) all.push(above);
  return all;
}
