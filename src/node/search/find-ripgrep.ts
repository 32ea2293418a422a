import { isAbsolute, join } from 'node:path';
import { isProgram } from '../process/find-program.js';

/**
 * The ripgrep that comes with VS Code, be it on a desktop, where modules lie beside an archive, or on a server. Looked for
 * only there: a program of that name in the workspace or on the search path could be anyone's.
 * @param appRoot `vscode.env.appRoot`.
 * @throws Error when it is in none of the places where versions of VS Code keep it.
 */
export async function findRipgrep(appRoot: string): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  const modules = ['node_modules', 'node_modules.asar.unpacked'];
  const inside = [
    join('ripgrep-universal', 'bin', platform, name),
    join('ripgrep', 'bin', platform, name),
    join('ripgrep', 'bin', name),
    join(`ripgrep-${platform}`, 'bin', name),
  ];
  if (!isAbsolute(appRoot)) throw new Error('The folder of VS Code is not known.');
  const candidates = modules.flatMap((folder) => inside.map((rest) => join(appRoot, folder, '@vscode', rest)));
  for (const candidate of candidates) {
    if (await isProgram(candidate)) return candidate;
  }
  throw new Error(`VS Code's ripgrep was not found below ${appRoot}.`);
}
