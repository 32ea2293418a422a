import { posix } from 'node:path';
import type { FileUse, SimpleCommand } from '../../domain/tool/command-analysis.js';
import { t } from '../../domain/l10n.js';
import { type Folders, absolutePaths, foldersLeft } from './folders.js';
import { unreadable } from './doubts.js';

/** The most commands of one line. */
const MAX_COMMANDS = 1_000;
/** The most words of all commands together. */
const MAX_WORDS = 20_000;
/** The most files of one line. */
const MAX_FILES = 5_000;
/** The longest path that systems take. */
const MAX_PATH = 4_096;
/** Devices, which are not files to protect. */
const DEVICES = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|fd\/\d+)$/;
/** Devices that never end when they are read. */
const ENDLESS = /^\/dev\/(?:zero|full)$/;

/** Strictness of the approval that a use needs; higher is stricter. */
const RANK: Readonly<Record<FileUse['by'], number>> = { word: 0, operand: 1, redirection: 2 };

/** Findings of the analysis of a line so far. */
export class Findings {
  private readonly found: SimpleCommand[] = [];
  private words = 0;
  private readonly uses = new Map<string, FileUse>();
  /** Files named by words that are only printed, or known not to be files. */
  private readonly loose = new Map<string, FileUse>();
  private collected: FileUse[] | undefined;

  /** @param start absolute path of the folder in which the line begins */
  constructor(private readonly start: string) {}

  get commands(): readonly SimpleCommand[] {
    return this.found;
  }

  /** The files of the line. Where a command opens files whose names are known only at run time, any word of the line may be one. */
  get files(): readonly FileUse[] {
    const kinds = new Set(this.found.flatMap(({ unknownFiles = [] }) => unknownFiles));
    return [...this.uses.values(), ...[...this.loose.values()].filter(({ kind }) => kinds.has(kind))];
  }

  /** Takes over what was found elsewhere. */
  add(others: Findings): void {
    for (const command of others.commands) this.addCommand(command);
    for (const use of others.uses.values()) this.addUse(use);
    for (const [key, use] of others.loose) this.loose.set(key, use);
  }

  addCommand(command: SimpleCommand): void {
    this.found.push(command);
    this.words += command.words.length;
    if (this.found.length > MAX_COMMANDS || this.words > MAX_WORDS) unreadable(t('It is too long to analyze.'));
  }

  /** The commands that were added after the first so many. */
  since(count: number): readonly SimpleCommand[] {
    return this.found.slice(count);
  }

  /** Takes note that the shell does not wait for the commands after the first so many. */
  markBackground(count: number): void {
    this.found.splice(count, this.found.length - count, ...this.since(count).map((command) => ({ ...command, background: true as const })));
  }

  /** Runs something. Returns the files that it adds. */
  collect(run: () => void): readonly FileUse[] {
    const outer = this.collected;
    const own: FileUse[] = [];
    this.collected = own;
    try {
      run();
    } finally {
      this.collected = outer;
    }
    return own;
  }

  /** Adds what a path may mean, and the folders that it leaves, for they may be links. */
  addFile(use: FileUse, folders: Folders): void {
    const { path, by } = use;
    // A text that is too long for a path names none.
    if (path.length > MAX_PATH && by === 'word') return;
    if (path.length > MAX_PATH) unreadable(t('It is too long to analyze.'));
    if (folders === undefined) this.addUnplaced(use);
    for (const absolute of absolutePaths(path, folders)) {
      // Where a command copies from, it starts in the same folder.
      const froms = use.from === undefined ? [] : absolutePaths(use.from, folders);
      for (const from of froms) this.addUse({ ...use, path: absolute, from });
      if (froms.length > 0) continue;
      if (this.collected !== undefined && this.collected.length < MAX_FILES) this.collected.push({ ...use, path: absolute });
      this.addUse({ ...use, path: absolute });
    }
    if (by === 'word') return;
    if (use.follows !== undefined || use.from !== undefined) return;
    for (const left of foldersLeft(path, folders)) this.addUse({ kind: 'read', path: left, by });
  }

  /** Adds a file that a word may name, for commands whose file names are known only at run time. */
  addLoose(use: FileUse, folders: Folders): void {
    for (const path of absolutePaths(use.path, folders ?? [this.start])) this.loose.set(`${use.kind} ${path}`, { ...use, path });
    if (this.loose.size > MAX_FILES) unreadable(t('It is too long to analyze.'));
  }

  /** Where the folder of a relative path is known only at run time, its name counts all the same. */
  private addUnplaced({ kind, path, by, opens, pattern, follows, from }: FileUse): void {
    if (posix.isAbsolute(path) || pattern !== undefined || follows !== undefined || from !== undefined) return;
    // A word that may be anything names a file only where there is one.
    const isName = by !== 'word' || opens === true;
    for (const absolute of absolutePaths(path, [this.start])) this.addUse({ kind, path: absolute, by: 'word', ...(isName ? { unplaced: true } : {}) });
  }

  private addUse(use: FileUse): void {
    const { kind, path, pattern = '', follows = '', hidden = false, from = '', unplaced = false } = use;
    if (DEVICES.test(path) && (kind === 'write' || !ENDLESS.test(path))) return;
    // A file that is used several times needs the strictest approval of them.
    const key = `${kind} ${path} ${pattern} ${follows} ${hidden} ${from} ${unplaced}`;
    const before = this.uses.get(key);
    if (before === undefined || RANK[use.by] > RANK[before.by]) this.uses.set(key, use);
    if (this.uses.size > MAX_FILES) unreadable(t('It is too long to analyze.'));
  }
}
