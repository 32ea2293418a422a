import type * as vscode from 'vscode';
import type { ModelRegistry } from '../models/model-registry.js';
import type { Showing } from '../permission/showing.js';

/** What suggestions need of the rest of the extension. */
export interface CompletionDeps extends Showing {
  readonly models: ModelRegistry;
  /** Whether a document is being edited in place: what changes in it then is not the user's doing. */
  readonly isEditedInPlace: (document: vscode.TextDocument) => boolean;
}
