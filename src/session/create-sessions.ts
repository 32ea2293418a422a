import type { SessionLibrary } from '../domain/session/session-library.js';
import type { SessionStore } from '../domain/session/session-store.js';
import { FoundSessionLibrary, FoundSessionStore } from './other-workspaces/found-library.js';
import { type OtherFoldersOptions, OtherFolders } from './other-workspaces/other-folders.js';
import { FileSessionLibrary } from './library/library.js';
import { type SessionFolderOptions, SessionFolder } from './session-folder.js';
import { FileSessionStore } from './store.js';

/** The conversations of one folder. */
export interface Sessions {
  readonly store: SessionStore;
  readonly library: SessionLibrary;
}

/** Builds the store and the library over one folder. @param others where sessions of the same workspace folders are found again. */
export function createSessions(options: SessionFolderOptions, others?: OtherFoldersOptions): Sessions {
  const folder = new SessionFolder(options);
  const [store, library] = [new FileSessionStore(folder), new FileSessionLibrary(folder)];
  if (others === undefined) return { store, library };
  const found = new OtherFolders(folder, options, others);
  return { store: new FoundSessionStore(store, found), library: new FoundSessionLibrary(library, found) };
}
