import type { Context, Scope } from '../context.js';
import type { Folders } from '../folders.js';
import { after, either } from '../folders.js';
import { judgeSection, sectionsOf } from './keywords.js';
import type { ShellNode } from '../grammar/shell-node.js';

/** Judges `if`. Returns the folders after it, whichever way it went. */
export function judgeIf(node: ShellNode, scope: Scope, context: Context): Folders {
  let otherwise = scope.folders;
  let then: Folders = [];
  let all: Folders = [];
  for (const section of sectionsOf(node, ['if', 'then', 'elif', 'else', 'fi'], ['elif_clause', 'else_clause'])) {
    const isBody = section.open.type === 'then';
    const flow = judgeSection(section, { ...scope, folders: isBody ? then : otherwise }, context);
    if (isBody) all = either(all, after(flow));
    else {
      then = flow.worked;
      otherwise = section.open.type === 'else' ? after(flow) : flow.failed;
    }
  }
  return either(all, otherwise);
}
