import { dirname, join, relative, sep } from 'node:path';
import type { InstructionFile, Instructions } from '../../domain/session/context.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { realPathOf } from '../files/real-path.js';
import { constants } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { escapeHidden, withoutUnseen } from '../../domain/hidden-characters.js';
import { decodeText } from '../../text/encoding.js';
import { errorCode } from '../files/file-errors.js';
import { withFile } from '../files/regular-file.js';

/** Names in the order in which they apply: the later wins. */
const SHARED = ['AGENTS.md', 'CLAUDE.md'];
const LOCAL = 'AGENTS.local.md';
/** Maximum characters of instructions in one result of {@link Instructions}. */
const MAX_CHARACTERS = 120_000;
/** Folders between the workspace folder and a file that are looked into, the outermost first. */
const MAX_FOLDERS = 32;
/** Folders with the code of others, whose instructions are not the project's, and with what is not code. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.git']);

/** What instructions are found with. */
interface InstructionsDeps {
  readonly workspace: Workspace;
  readonly log: Log;
}

/** Finds instructions on the disk. */
export function createInstructions(deps: InstructionsDeps): Instructions {
  return {
    ofWorkspace(signal) {
      const folders = deps.workspace.folders().map(({ path }) => path);
      return inFolders(folders, [...SHARED, LOCAL], { ...deps, signal });
    },
    async ofFile(path, signal) {
      return inFolders(await foldersAbove(path, deps.workspace), SHARED, { ...deps, signal });
    },
  };
}

type Search = InstructionsDeps & { readonly signal: AbortSignal };

async function inFolders(folders: readonly string[], names: readonly string[], search: Search): Promise<readonly InstructionFile[]> {
  const perFolder = await Promise.all(
    folders.map(async (folder) => {
      const files = await Promise.all(names.map((name) => readOrSkip(join(folder, name), search)));
      return withoutRepeats(files.filter((file) => file !== undefined));
    }),
  );
  return withinLimit(perFolder.flat(), search.log);
}

async function readOrSkip(path: string, { workspace, log, signal }: Search): Promise<InstructionFile | undefined> {
  try {
    return await readInstructions(path, workspace, signal);
  } catch (error) {
    signal.throwIfAborted();
    log.warn(`The instructions in ${path} were left out: ${errorMessage(error)}`);
    return undefined;
  }
}

/** The folders between the workspace folder that a path lies in and the path, outermost first. None where it lies in none. */
async function foldersAbove(path: string, workspace: Workspace): Promise<readonly string[]> {
  const named = workspace.folders().map((folder) => folder.path);
  const roots = [...named, ...(await Promise.all(named.map((root) => realPathOf(root))))];
  const rests = roots.map((root) => ({ root, parts: partsBelow(root, dirname(path)) }));
  const [inner] = rests.filter(({ parts }) => parts.length > 0).sort((a, b) => b.root.length - a.root.length);
  if (inner === undefined || inner.parts.some((part) => FOREIGN.has(part))) return [];
  return inner.parts.slice(0, MAX_FOLDERS).map((_, index) => join(inner.root, ...inner.parts.slice(0, index + 1)));
}

function partsBelow(root: string, folder: string): readonly string[] {
  const parts = relative(root, folder).split(sep);
  return parts[0] === '' || parts[0] === '..' || /^[A-Za-z]:$/.test(parts[0] ?? '') ? [] : parts;
}

/** The first files that fit together. */
function withinLimit(files: readonly InstructionFile[], log: Log): readonly InstructionFile[] {
  let left = MAX_CHARACTERS;
  return files.filter(({ path, text }) => {
    const fits = text.length <= left;
    if (fits) left -= text.length;
    else log.warn(`The instructions in ${path} were left out: there are more than ${MAX_CHARACTERS} characters of instructions.`);
    return fits;
  });
}

/** Leaves out what is there already: another name of the same file, the same text, and a file that only points to another. */
function withoutRepeats(files: readonly InstructionFile[]): readonly InstructionFile[] {
  return files.filter(({ path, text }, index) => {
    const before = files.slice(0, index);
    return !before.some((other) => other.path === path || other.text === text) && !(before.length > 0 && isPointer(text));
  });
}

/** Whether a text says nothing but `@AGENTS.md`, as files for tools with another file name do. */
function isPointer(text: string): boolean {
  return /^@(\.\/)?AGENTS\.md$/.test(text);
}

/** Bytes of one file that are read at most. */
const MAX_BYTES = 40_000;

/**
 * Reads a file with instructions; `undefined` when it does not exist or is blank. The returned path is the real one.
 * @throws Error when it leads outside the workspace, is not a regular text file, or cannot be read.
 */
async function readInstructions(path: string, workspace: Workspace, signal: AbortSignal): Promise<InstructionFile | undefined> {
  if (!(await exists(path))) return undefined;
  signal.throwIfAborted();
  const { real, inside, display } = await workspace.locate(path);
  if (!inside) throw new Error(`it is a link that leads outside the workspace, to ${real}`);
  const { bytes, truncated } = await readStart(real);
  signal.throwIfAborted();
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new Error('it is not a text file');
  const { text, hidden } = withoutUnseen(decoded.text.toWellFormed());
  if (text.trim() === '') return undefined;
  return { path: real, display: escapeHidden(display), text: text.trim(), truncated, ...(hidden === undefined ? {} : { hidden }) };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function readStart(path: string): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return withFile(path, flags, async (handle) => {
    const bytes = await readUpTo(handle, MAX_BYTES + 1);
    return bytes.length <= MAX_BYTES ? { bytes, truncated: false } : { bytes: wholeLines(bytes.subarray(0, MAX_BYTES)), truncated: true };
  });
}

async function readUpTo(handle: FileHandle, count: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(count);
  let filled = 0;
  for (let read = 1; read > 0 && filled < count; filled += read) {
    ({ bytesRead: read } = await handle.read(buffer, filled, count - filled));
  }
  return buffer.subarray(0, filled);
}

/** Cuts where no character is divided: behind a line, in one long line before its last character, in UTF-16 behind a whole unit. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) return bytes.subarray(0, bytes.length - (bytes.length % 2));
  const end = bytes.lastIndexOf(0x0a);
  // Only the first byte of a character is not of the form 10xxxxxx.
  return bytes.subarray(0, end >= 0 ? end : bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80));
}
