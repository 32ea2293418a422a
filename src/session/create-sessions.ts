import type { SessionLibrary } from '../domain/session-library.js';
import type { SessionStore } from '../domain/session-store.js';
import { FileSessionLibrary } from './library.js';
import type { SessionFolderOptions } from './session-folder.js';
import { SessionFolder } from './session-folder.js';
import { FileSessionStore } from './store.js';

/** The conversations of one folder. */
export interface Sessions {
  readonly store: SessionStore;
  readonly library: SessionLibrary;
}

/** Builds the store and the library over one folder. */
export function createSessions(options: SessionFolderOptions): Sessions {
  const folder = new SessionFolder(options);
  return { store: new FileSessionStore(folder), library: new FileSessionLibrary(folder) };
}
