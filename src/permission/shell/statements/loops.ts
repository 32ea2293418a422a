import type { Context, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import type { Folders } from '../folders.js';
import { after, either } from '../folders.js';
import { judgeSection, sectionsOf } from './keywords.js';
import { note } from '../note.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';

/** Judges `while` and `until`. Returns the folders after it. */
export function judgeWhile(node: ShellNode, scope: Scope, context: Context): Folders {
  const [condition, body, ...more] = sectionsOf(node, ['while', 'until', 'do', 'done'], ['do_group']);
  if (condition === undefined || body === undefined || more.length > 0) return unreadable();
  const first = after(judgeSection(condition, scope, context));
  return foldersAfterLoop(node, scope, either(first, after(judgeSection(body, { ...scope, folders: first }, context))), context);
}

/** A loop that changes the folder does so again in the next round: then no folder is certain. */
export function foldersAfterLoop(node: ShellNode, scope: Scope, folders: Folders, context: Context): Folders {
  if (String(folders) === String(scope.folders)) return folders;
  note(DOUBT.folder, node, context);
  return undefined;
}
