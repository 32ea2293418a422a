import { judgeCase } from './case-statement.js';
import type { Context, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import type { Flow } from '../folders.js';
import { staysIn } from '../folders.js';
import { judgeCountingFor, judgeFor } from './for-statement.js';
import { judgeIf } from './if-statement.js';
import { judgeBetween } from './keywords.js';
import { judgeWhile } from './loops.js';
import { note } from '../note.js';
import { judgeRedirectionsBehind } from './redirections.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';

/** Judges a statement that holds others. @throws UnreadableError for one that is not known here. */
export function judgeCompound(node: ShellNode, scope: Scope, context: Context): Flow {
  switch (node.type) {
    case 'subshell':
      judgeBetween(node, scope, context);
      return staysIn(scope.folders);
    case 'compound_statement':
      return judgeBetween(node, scope, context);
    case 'if_statement':
      return staysIn(judgeIf(node, scope, context));
    case 'while_statement':
      return staysIn(judgeWhile(node, scope, context));
    case 'for_statement':
      return staysIn(judgeFor(node, scope, context));
    case 'c_style_for_statement':
      return staysIn(judgeCountingFor(node, scope, context));
    case 'case_statement':
      return staysIn(judgeCase(node, scope, context));
    case 'function_definition':
      return judgeFunction(node, scope, context);
    default:
      return unreadable();
  }
}

/** A function is not let pass by any rule, for it can be named like a command that is. What it would run is found. */
function judgeFunction(node: ShellNode, scope: Scope, context: Context): Flow {
  const at = node.children.findIndex(({ type }) => ['compound_statement', 'subshell', 'if_statement'].includes(type));
  const body = node.children[at];
  if (body === undefined) return unreadable();
  note(DOUBT.function, node, context);
  judgeCompound(body, scope, context);
  judgeRedirectionsBehind({ start: body.end, end: node.end }, scope, context);
  return staysIn(scope.folders);
}
