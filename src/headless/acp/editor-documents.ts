import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KeyedQueue } from '../../concurrency/queue.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import {
  type AppliedChange,
  type Creation,
  type Deletion,
  type Documents,
  type FileContent,
  type Modification,
  pathsOfChange,
  type TextChange,
  type TextFile,
} from '../../domain/workspace/documents.js';
import { checkFolder } from '../../node/files/replace-file.js';
import { sha256 } from '../../node/files/sha256.js';
import { encodeText } from '../../text/encoding.js';
import { lineEndingsOf, withLineEndings } from '../../text/line-endings.js';

/** The files of an editor, with what is not saved in them. All paths are absolute, without links. */
export interface EditorFiles {
  /** The text of a file as the editor has it. @throws ToolInputError where nobody may read it; anything else where it is no file of its project */
  read(path: string, signal: AbortSignal): Promise<string>;
  /** Gives a file another text, and makes one that is not there. @throws where it does not take it */
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
}

/** Milliseconds that an editor is given to take over what changed on the disk, and between two looks at that. */
const RELOAD_MS = 3_000;
const LOOK_MS = 100;

/**
 * {@link Documents} of an editor that another program is: the text of a file is what the editor says, so that unsaved changes count, and
 * new texts go through it. What it does not know, or could not give back byte for byte (other encodings than UTF-8, mixed line endings), is
 * read and changed on the disk.
 */
export function createEditorDocuments(disk: Documents, editor: EditorFiles): Documents {
  const documents = new EditorDocuments(disk, editor);
  const queue = new KeyedQueue();
  return {
    stat: (path, signal) => disk.stat(path, signal),
    read: (path, signal) => documents.read(path, signal),
    // What is too large to be held as a whole is not asked of an editor either.
    readLines: (path, range, signal) => disk.readLines(path, range, signal),
    list: (path, limit, signal) => disk.list(path, limit, signal),
    apply: (change, signal) => queue.runOn(pathsOfChange(change), () => documents.apply(change, signal)),
    delete: (change, signal) => queue.run(change.path, () => documents.delete(change, signal)),
  };
}

/** A file as the disk has it, and as the editor does; absent where the editor has none, or one in an encoding that cannot be compared. */
interface Sides {
  readonly file: TextFile;
  readonly shown?: string;
}

class EditorDocuments {
  /** The text that files had when the editor and the disk agreed last, by their hashes: what an editor still shows of it is no change of the user. */
  private readonly agreed = new Map<string, string>();

  constructor(
    private readonly disk: Documents,
    private readonly editor: EditorFiles,
  ) {}

  async read(path: string, signal: AbortSignal): Promise<FileContent> {
    const file = await this.disk.read(path, signal);
    return file.kind === 'text' ? asShown(await this.sides(file, signal)) : file;
  }

  async apply(change: TextChange, signal: AbortSignal): Promise<AppliedChange> {
    if (change.action === 'create') return this.create(change, signal);
    return change.from === undefined ? this.modify(change, signal) : this.move({ ...change, from: change.from }, signal);
  }

  async delete(change: Deletion, signal: AbortSignal): Promise<void> {
    await this.checkSaved(change.path, 'deleted', signal);
    await this.disk.delete(change, signal);
  }

  private async create(change: Creation, signal: AbortSignal): Promise<AppliedChange> {
    const { path, text, encoding = 'utf8' } = change;
    await this.checkNotOpen(path, 'written', signal);
    // The disk says best what is wrong with a place that is taken, and an editor is not told in which encoding it is to write.
    if (encoding !== 'utf8' || (await this.disk.stat(path, signal)) !== undefined) return this.disk.apply(change, signal);
    await checkFolder(path);
    checkEncodable(text);
    await mkdir(dirname(path), { recursive: true });
    await this.write(path, text, signal);
    return this.written(path, text, signal);
  }

  private async modify(change: Modification, signal: AbortSignal): Promise<AppliedChange> {
    const { path, baseHash, text } = change;
    const file = await this.disk.read(path, signal);
    if (file.kind !== 'text') return this.disk.apply(change, signal);
    const sides = await this.sides(file, signal);
    const current = asShown(sides);
    if (current.hash !== baseHash) throw new ToolInputError({ kind: 'changed_meanwhile', file: path, noticed: 'writing' });
    if (sides.shown === undefined || !isFaithful(file)) {
      if (current.unsaved) throw unsaved(path, 'written');
      return this.disk.apply(change, signal);
    }
    await checkWritable(path);
    checkEncodable(text);
    // Editors that keep lines without their endings would take a carriage return for a part of the line.
    const hasOwnEndings = lineEndingsOf(current.text) === '\r\n' && !sides.shown.includes('\r');
    await this.write(path, hasOwnEndings ? withLineEndings(text, '\n') : text, signal);
    return this.written(path, text, signal);
  }

  private async move(change: Modification & { readonly from: string }, signal: AbortSignal): Promise<AppliedChange> {
    await this.checkSaved(change.from, 'moved', signal);
    await this.checkNotOpen(change.path, 'moved', signal);
    return this.disk.apply(change, signal);
  }

  private async write(path: string, text: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await this.editor.write(path, text, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolInputError(`The editor did not take the change to ${path}: ${errorMessage(error)}`, { cause: error });
    }
  }

  /** What became of a text that the editor has taken. It can be saved there, stay unsaved, or be formatted. */
  private async written(path: string, text: string, signal: AbortSignal): Promise<AppliedChange> {
    if ((await this.disk.stat(path, signal)) === undefined) return { hash: sha256(encodeText(text, 'utf8')), where: 'editor' };
    const file = await this.disk.read(path, signal);
    if (file.kind !== 'text') throw new Error(`${path} was written, but reads back as something else than text.`);
    const now = file.text === text ? file : asShown({ file, ...given(await this.shown(path, signal)) });
    if (!now.unsaved) this.agreed.set(path, now.hash);
    return { hash: now.hash, where: now.unsaved ? 'editor' : 'disk', ...(now.text === text ? {} : { formatted: true as const }) };
  }

  /** A file on both sides, once the editor has had the time to take over what changed on the disk. */
  private async sides(file: TextFile, signal: AbortSignal): Promise<Sides> {
    if (!file.encoding.startsWith('utf8')) return { file };
    const { path } = file;
    const before = this.agreed.get(path);
    for (let waited = await this.sinceChange(path); ; waited += LOOK_MS) {
      const shown = await this.shown(path, signal);
      if (shown === undefined) return { file };
      const current = asShown({ file, shown });
      if (!current.unsaved) {
        this.agreed.set(path, file.hash);
        return { file, shown };
      }
      if (waited >= RELOAD_MS) {
        // An editor that does not reload on its own: what it shows is older than the disk.
        if (current.hash === before) return { file };
        return { file, shown };
      }
      await setTimeout(LOOK_MS, undefined, { signal });
    }
  }

  /** Milliseconds since a file was changed on the disk. */
  private async sinceChange(path: string): Promise<number> {
    return Math.max(0, Date.now() - (await stat(path)).mtimeMs);
  }

  private async shown(path: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return (await this.editor.read(path, signal)).replace(/^\uFEFF/, '');
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolInputError) throw error;
      return undefined;
    }
  }

  /** @throws ToolInputError when an editor has unsaved changes of a file, which would be lost */
  private async checkSaved(path: string, what: 'deleted' | 'moved', signal: AbortSignal): Promise<void> {
    const file = await this.read(path, signal);
    if (file.kind === 'text' && file.unsaved) throw unsaved(path, what);
  }

  /** @throws ToolInputError when an editor has a text where nothing is on the disk */
  private async checkNotOpen(path: string, what: 'written' | 'moved', signal: AbortSignal): Promise<void> {
    if ((await this.disk.stat(path, signal)) !== undefined) return;
    const shown = await this.shown(path, signal);
    if (shown === undefined || shown === '') return;
    throw new ToolInputError(`${path} is open in an editor already and was never saved; nothing was ${what}. Choose another name, or ask the user to save it.`);
  }
}

function given(shown: string | undefined): { readonly shown?: string } {
  return shown === undefined ? {} : { shown };
}

/** What the model gets of a file: the text of the editor where that is another one than the disk’s. */
function asShown({ file, shown }: Sides): TextFile {
  if (shown === undefined || isSame(file.text, shown)) return file;
  const text = lineEndingsOf(file.text) === '\r\n' && !shown.includes('\r') ? withLineEndings(shown, '\r\n') : shown;
  return { ...file, text, hash: sha256(encodeText(text, file.encoding === 'utf8bom' ? 'utf8bom' : 'utf8')), unsaved: true };
}

/** Whether an editor would save what is on the disk: some give lines without their endings, or without the last of them. */
function isSame(saved: string, shown: string): boolean {
  const [a, b] = [saved, shown].map((text) => withLineEndings(text, '\n'));
  return a === b || a === `${b}\n`;
}

/** Whether an editor that saves a file changes nothing but what was edited. */
function isFaithful({ encoding, text }: TextFile): boolean {
  return encoding === 'utf8' && !['mixed', '\r'].includes(lineEndingsOf(text));
}

/** @throws ToolInputError for what no file could have; JSON would carry it to the editor as something else */
function checkEncodable(text: string): void {
  encodeText(text, 'utf8');
}

async function checkWritable(path: string): Promise<void> {
  if (((await stat(path)).mode & 0o222) === 0) throw new ToolInputError({ kind: 'read_only', file: path });
}

function unsaved(path: string, what: 'deleted' | 'moved' | 'written'): ToolInputError {
  return new ToolInputError(`${path} has unsaved changes of the user in an editor; nothing was ${what}. Ask the user to save or discard them.`);
}
