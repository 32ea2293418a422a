import type * as vscode from 'vscode';
import type { MayShow } from '../../domain/search.js';
import type { Workspace } from '../../domain/workspace.js';
import type { ModelRegistry } from '../models/model-registry.js';

/** What suggestions need of the rest of the extension. */
export interface CompletionPorts {
  readonly models: ModelRegistry;
  readonly workspace: Workspace;
  /** Makes what says, with the rules that hold now, which files may be shown to a model. */
  readonly readGuard: () => Promise<MayShow>;
  /** Whether the person trusts the workspace. */
  readonly trusted: () => boolean;
  /** Whether a document is being edited in place: what changes in it then is not the person's doing. */
  readonly isEditedInPlace: (document: vscode.TextDocument) => boolean;
}
