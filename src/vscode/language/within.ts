import { relative, isAbsolute, sep } from 'node:path';

/** Whether an absolute path is a folder or lies below it. */
export function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
