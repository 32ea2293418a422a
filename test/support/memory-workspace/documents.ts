import { createHash } from 'node:crypto';
import type { AppliedChange, Documents, FileChange, FileContent, TextChange } from '../../../src/domain/workspace/documents.js';
import { ToolInputError } from '../../../src/domain/errors.js';

/** In-memory {@link Documents} with ways to look inside and to change files behind the agent's back. */
export interface MemoryDocuments extends Documents {
  /** Every change that was applied, in order. */
  readonly applied: readonly FileChange[];
  exists(path: string): boolean;
  /** Paths of all files, sorted. */
  paths(): readonly string[];
  /** @throws Error when there is no such text file. */
  text(path: string): string;
  /** Changes a file as another program would. */
  put(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  /** Marks a file as open in an editor with unsaved changes. */
  markUnsaved(path: string): void;
  /** What "format on save" does to text that is applied. */
  onSave(format: (text: string) => string): void;
}

/** Documents in a map; a path is a folder when files lie below it. */
export function createMemoryDocuments(initial: Readonly<Record<string, string | Uint8Array>>): MemoryDocuments {
  const files = new Map(Object.entries(initial));
  const unsaved = new Set<string>();
  const applied: FileChange[] = [];
  let format = (text: string): string => text;
  const isFolder = (path: string): boolean => [...files.keys()].some((file) => file.startsWith(path.replace(/\/?$/, '/')));
  const current = (path: string): string | undefined => {
    const content = files.get(path);
    return content === undefined ? undefined : hashOf(content);
  };
  const checkCurrent = (change: TextChange): void => {
    const moves = change.action === 'modify' && change.from !== undefined;
    if (moves && current(change.path) !== undefined) throw new ToolInputError(`${change.path} exists; nothing was moved.`);
    const source = moves ? change.from : change.path;
    if (current(source) === (change.action === 'modify' ? change.baseHash : undefined)) return;
    throw new ToolInputError(`${source} has changed since it was read. Nothing was written.`);
  };

  return {
    applied,
    exists: (path) => files.has(path) || isFolder(path),
    paths: () => [...files.keys()].sort(),
    text(path) {
      const content = files.get(path);
      if (typeof content !== 'string') throw new Error(`There is no text file ${path} in the in-memory workspace.`);
      return content;
    },
    put: (path, content) => void files.set(path, content),
    remove: (path) => void files.delete(path),
    markUnsaved: (path) => void unsaved.add(path),
    onSave: (formatter) => {
      format = formatter;
    },
    async stat(path, signal) {
      await ready(path, signal);
      const content = files.get(path);
      if (content !== undefined) return { type: 'file', size: Buffer.byteLength(content) };
      return isFolder(path) ? { type: 'directory', size: 0 } : undefined;
    },
    async read(path, signal) {
      await ready(path, signal);
      const content = files.get(path);
      if (content !== undefined) return fileContent(path, content, unsaved.has(path));
      throw new ToolInputError(isFolder(path) ? `${path} is a folder.` : `${path} does not exist.`);
    },
    readLines: (path) => Promise.reject(new Error(`The in-memory workspace holds ${path} as a whole.`)),
    async list(path, limit, signal) {
      await ready(path, signal);
      const folder = path.replace(/\/?$/, '/');
      if (!isFolder(path)) throw new ToolInputError(`${path} does not exist.`);
      const below = [...files.keys()].filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length));
      const names = [...new Set(below.map((name) => name.replace(/\/.*/, '/')))].sort();
      return { names: names.slice(0, limit), more: names.length > limit };
    },
    async apply(change, signal): Promise<AppliedChange> {
      await ready(change.path, signal);
      checkCurrent(change);
      applied.push(change);
      const text = format(change.text);
      if (change.action === 'modify' && change.from !== undefined) files.delete(change.from);
      files.set(change.path, text);
      const formatted = text === change.text ? {} : { formatted: true as const };
      return { hash: hashOf(text), where: unsaved.has(change.path) ? 'editor' : 'disk', ...formatted };
    },
    async delete(change, signal) {
      await ready(change.path, signal);
      if (current(change.path) !== change.baseHash) throw new ToolInputError(`${change.path} has changed since it was read. Nothing was deleted.`);
      applied.push(change);
      files.delete(change.path);
    },
  };
}

function fileContent(path: string, content: string | Uint8Array, unsaved: boolean): FileContent {
  if (typeof content === 'string') {
    return { kind: 'text', path, text: content, hash: hashOf(content), encoding: 'utf8', unsaved };
  }
  if (Buffer.from(content).subarray(0, 5).toString('latin1') === '%PDF-') return { kind: 'pdf', path, bytes: content };
  const png = Buffer.from(content).subarray(1, 4).toString('latin1') === 'PNG';
  return png ? { kind: 'image', path, data: content, mimeType: 'image/png' } : { kind: 'binary', path, size: content.length };
}

async function ready(path: string, signal: AbortSignal): Promise<void> {
  if (!path.startsWith('/')) throw new Error(`The in-memory workspace was given the relative path ${path}.`);
  signal.throwIfAborted();
  await Promise.resolve();
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
