import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file of a folder with its bytes as latin1 text, by relative path. */
export async function sourceFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const));
  return new Map(contents.sort(([a], [b]) => a.localeCompare(b)));
}
