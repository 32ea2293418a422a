import type { FileUse, SimpleCommand } from '../../domain/command-analysis.js';
import { t } from '../../domain/l10n.js';
import type { Folders } from './folders.js';
import { absolutePaths, foldersLeft } from './folders.js';
import { unreadable } from './unreadable.js';

/** The most commands of one line. */
const MAX_COMMANDS = 1_000;
/** The most words of all commands together. */
const MAX_WORDS = 20_000;
/** The most files of one line. */
const MAX_FILES = 5_000;
/** The longest path that systems take. */
const MAX_PATH = 4_096;
/** What is no file of anybody's. */
const DEVICES = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|fd\/\d+)$/;
/** Devices that never end when they are read. */
const ENDLESS = /^\/dev\/(?:zero|full)$/;

/** What was found in a line so far. */
export class Findings {
  private readonly found: SimpleCommand[] = [];
  private words = 0;
  private readonly uses = new Map<string, FileUse>();

  get commands(): readonly SimpleCommand[] {
    return this.found;
  }

  get files(): readonly FileUse[] {
    return [...this.uses.values()];
  }

  /** Takes over what was found elsewhere. */
  add(others: Findings): void {
    for (const command of others.commands) this.addCommand(command);
    for (const use of others.files) this.addUse(use);
  }

  addCommand(command: SimpleCommand): void {
    this.found.push(command);
    this.words += command.words.length;
    if (this.found.length > MAX_COMMANDS || this.words > MAX_WORDS) unreadable(t('It is too long to be judged.'));
  }

  /** Adds what a path may mean, and the folders that it leaves, for they may be links. */
  addFile({ kind, path, by }: FileUse, folders: Folders): void {
    if (path.length > MAX_PATH) unreadable(t('It is too long to be judged.'));
    for (const absolute of absolutePaths(path, folders)) this.addUse({ kind, path: absolute, by });
    for (const left of foldersLeft(path, folders)) this.addUse({ kind: 'read', path: left, by });
  }

  private addUse(use: FileUse): void {
    const { kind, path, by } = use;
    if (DEVICES.test(path) && (kind === 'write' || !ENDLESS.test(path))) return;
    // A file that both name needs the leave of a redirection.
    const key = `${kind} ${path}`;
    if (by === 'redirection' || !this.uses.has(key)) this.uses.set(key, use);
    if (this.uses.size > MAX_FILES) unreadable(t('It is too long to be judged.'));
  }
}
