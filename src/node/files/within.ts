import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or lies below it; both absolute and normalized. */
export function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
