import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The ripgrep that comes with VS Code.
 * @param appRoot `vscode.env.appRoot`.
 * @throws Error when it is in none of the places where versions of VS Code keep it.
 */
export async function findRipgrep(appRoot: string): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  const modules = ['node_modules', 'node_modules.asar.unpacked'];
  const inside = [join('ripgrep-universal', 'bin', platform, name), join('ripgrep', 'bin', name)];
  const candidates = modules.flatMap((folder) => inside.map((rest) => join(appRoot, folder, '@vscode', rest)));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  throw new Error(`VS Code's ripgrep was not found below ${appRoot}. Searching files is not possible.`);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
