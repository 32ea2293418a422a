import { opendir } from 'node:fs/promises';
import type { FolderNames } from '../../domain/workspace/documents.js';
import { fileProblem } from './file-problem.js';
import { checkNoLink } from './regular-file.js';

/** Entries that are looked at; a folder can have a million (tool-13). */
const SCANNED_ENTRIES = 10_000;
/** Entries that the system is asked for at once. */
const BATCH = 500;

/**
 * What is in a folder, links as they are named.
 * @throws ToolInputError when it is none or cannot be looked into.
 */
export async function folderNames(path: string, limit: number, signal: AbortSignal): Promise<FolderNames> {
  try {
    await checkNoLink(path);
    const names: string[] = [];
    for await (const entry of await opendir(path, { bufferSize: BATCH })) {
      signal.throwIfAborted();
      if (names.length === SCANNED_ENTRIES) break;
      names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
    return { names: names.sort().slice(0, limit), more: names.length > limit };
  } catch (error) {
    throw fileProblem(path, error);
  }
}
