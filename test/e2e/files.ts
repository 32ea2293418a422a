import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { waitFor } from '../vscode/wait.mjs';

/** The files below a folder, by absolute path. Others may make and remove files meanwhile, as VS Code does with its data. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? [];
  const below = async (entry: Dirent): Promise<readonly string[]> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  };
  return (await Promise.all(entries.map(below))).flat();
}

/** Every file of a folder with its bytes as latin1 text, by relative path. */
export async function sourceFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = (await filesIn(folder)).toSorted((a, b) => a.localeCompare(b));
  const contents = await Promise.all(files.map(async (file) => ({ file, text: await unlessGone(readFile(file, 'latin1')) })));
  return new Map(contents.flatMap(({ file, text }) => (text === undefined ? [] : [[relative(folder, file), text] as const])));
}

/** The files below a folder in which the bytes of a text are, by absolute path. */
export async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const files = await filesIn(folder);
  const found = await Promise.all(files.map(async (file) => ((await unlessGone(readFile(file)))?.includes(text) === true ? [file] : [])));
  return found.flat();
}

/** The files of stored sessions below a folder, journals and the trash included, in which a text is, by absolute path. */
export async function sessionsWith(dataDir: string, text: string): Promise<readonly string[]> {
  return (await filesWith(dataDir, text)).filter((file) => /\/sessions\/.*\.jsonl?$/.test(file));
}

/** The permission bits of files, of those that are still there. */
export async function modesOf(files: readonly string[]): Promise<readonly number[]> {
  const found = await Promise.all(files.map((file) => unlessGone(stat(file))));
  return found.flatMap((status) => (status === undefined ? [] : [status.mode & 0o777]));
}

/** Waits until a file holds a text or bytes; one that is not there holds none. VS Code empties a file before it writes it. */
export async function waitForFile(path: string, content: string | Buffer): Promise<void> {
  const wanted = Buffer.from(content);
  let held = Buffer.alloc(0);
  const holds = async (): Promise<boolean> => {
    held = (await unlessGone(readFile(path))) ?? Buffer.alloc(0);
    return held.equals(wanted);
  };
  await waitFor(holds, { what: `${path} to hold ${JSON.stringify(content.toString())}`, timeoutMs: 30_000 }).catch((error: unknown) => {
    throw new Error(`${path} holds ${JSON.stringify(held.toString())}.`, { cause: error });
  });
}

/** What came of looking at a file or folder; nothing where it is not there any more. */
async function unlessGone<T>(looking: Promise<T>): Promise<T | undefined> {
  return looking.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
