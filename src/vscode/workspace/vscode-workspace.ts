import { homedir } from 'node:os';
import type { MayShow } from '../../domain/workspace/search.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { localFolders } from './folders.js';
import { createWorkspace } from '../../node/files/workspace.js';

/**
 * The folders that are open in this window. Folders of a file system that is not this machine's (`vscode-vfs:` and the
 * like) are left out: commands could not run in them, and there is no byte-exact way to change their files.
 * @param guard as `createWorkspace` has it; for paths that models give.
 */
export function createVsCodeWorkspace(guard?: () => Promise<MayShow>): Workspace {
  return createWorkspace(localFolders, homedir(), guard);
}
