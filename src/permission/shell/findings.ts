import type { FileUse, SimpleCommand } from '../../domain/command-analysis.js';
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
/** A device that never ends. */
const ENDLESS = '/dev/zero';

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
    for (const { kind, path } of others.files) this.addUse(kind, path);
  }

  addCommand(command: SimpleCommand): void {
    this.found.push(command);
    this.words += command.words.length;
    if (this.found.length > MAX_COMMANDS || this.words > MAX_WORDS) unreadable('It is too long to be judged.');
  }

  /** Adds what a path may mean, and the folders that it leaves, for they may be links. */
  addFile(kind: FileUse['kind'], path: string, folders: Folders): void {
    if (path.length > MAX_PATH) unreadable('It is too long to be judged.');
    for (const absolute of absolutePaths(path, folders)) this.addUse(kind, absolute);
    for (const left of foldersLeft(path, folders)) this.addUse('read', left);
  }

  private addUse(kind: FileUse['kind'], path: string): void {
    if (DEVICES.test(path) && (kind === 'write' || path !== ENDLESS)) return;
    this.uses.set(`${kind} ${path}`, { kind, path });
    if (this.uses.size > MAX_FILES) unreadable('It is too long to be judged.');
  }
}
