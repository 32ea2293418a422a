import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../node/files/sha256.js';
import { LEDGER_NAME } from '../consent/ledger/approval-ledger.js';
import { EXIT, Impossible } from './exit.js';
import { type Environment, folderIn, userData } from './user-data.js';

export type { Environment } from './user-data.js';

/** Where a program without a window keeps what it keeps, as absolute paths of folders; they need not be there yet. */
export interface Places {
  /** Of the user, whatever the project. */
  readonly user: string;
  /** Of this project. */
  readonly project: string;
  /** With the sessions, and what can be restored of them: that of this project, or one that VS Code has. */
  readonly sessions: string;
  /** With what runs change, until it is kept: of each session in a folder of its own, but where a window shows it. */
  readonly review: string;
  /** Where the approvals of the user are: those of VS Code where it has some, so that each is given once. */
  readonly approvals: string;
}

/** Programs with the extension, by the names of their folders; the first that has approvals counts. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];

/** What they leave on a machine that they are connected to, by the names of the folders in that of the user. */
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/** The id of the extension, by which VS Code names its folder. */
export const EXTENSION = 'gnomon.gnomon';

/** @param folder absolute path of the project */
export function placesOf(folder: string, environment: Environment = process.env): Places {
  const user = userData(environment);
  const ofEditors = editorUsers(environment).map((data) => join(data, 'globalStorage', EXTENSION));
  const approvals = ofEditors.find((path) => existsSync(join(path, LEDGER_NAME))) ?? ofEditors.find((path) => existsSync(path)) ?? user;
  const project = join(user, 'projects', sha256(folder).slice(0, 32));
  return { user, project, sessions: project, review: join(project, 'review'), approvals };
}

/** Where VS Code and programs made of it keep what is the user’s, as absolute paths: code.visualstudio.com/docs, “Settings file locations”. */
export function editorUsers(environment: Environment): readonly string[] {
  const home = homedir();
  const base = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: folderIn(environment, 'APPDATA') ?? join(home, 'AppData', 'Roaming'),
    linux: folderIn(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config'),
  };
  const parent = process.platform === 'darwin' || process.platform === 'win32' ? base[process.platform] : base.linux;
  return [...EDITORS.map((name) => join(parent, name, 'User')), ...SERVERS.map((name) => join(home, name, 'data', 'User'))];
}

/** A folder to work in, without links on its path. @param path absolute. @throws Impossible for what is no folder */
export function folderAt(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Told below.
  }
  throw new Impossible(`There is no folder ${path}.`, EXIT.usage);
}
