import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Builds a program that a test runs beside itself, such as one that stands for another window.
 * @param name of its file
 * @param source in TypeScript, which imports from the root of the repository
 * @param folder where the program is put
 * @returns its path, for plain Node
 */
export async function helperProgram(name: string, source: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  // Tests and benches run in the root of the repository.
  const stdin = { contents: source, resolveDir: process.cwd(), loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
  return outfile;
}
