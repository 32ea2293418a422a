import { ToolInputError } from '../../domain/errors.js';
import type { FileLocation, Workspace } from '../../domain/workspace/workspace.js';

/** How editors name documents that are not files on disk, such as `untitled:Untitled-1`. */
const EDITOR_SCHEME = /^(untitled|git|gitfs|output|search-editor|walkThrough|vscode-[\w-]+):/i;

/**
 * Where a path that a model gave leads.
 * @throws ToolInputError for a document that has no file, which no tool could change without harm.
 */
export async function locateFile(workspace: Workspace, path: string): Promise<FileLocation> {
  const scheme = EDITOR_SCHEME.exec(path)?.[1];
  if (scheme === undefined) return workspace.locate(path);
  // The wording of the workspace where it has one; a name that only looks like such a document is written with "./".
  throw new ToolInputError(
    `${path} is not a file on this machine (${scheme}:), which is all that tools work on. Ask the user to save it as a file.`,
  );
}
