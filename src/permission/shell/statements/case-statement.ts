import type { Context, Range, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import type { Folders } from '../folders.js';
import { after, either } from '../folders.js';
import { judgeWord } from '../words/judge-word.js';
import { note } from '../note.js';
import { readWord } from '../words/read-word.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';

const ENDS: readonly string[] = [';;', ';&', ';;&'];

/** Judges `case`. Returns the folders after it, whichever way it went. */
export function judgeCase(node: ShellNode, scope: Scope, context: Context): Folders {
  const { source } = context;
  const [open] = node.children;
  const close = node.children.at(-1);
  const inside = node.children.find(({ type }) => type === 'in');
  if (open === undefined || inside === undefined || close?.type !== 'esac') return unreadable();
  for (const keyword of [open, inside, close]) source.assertWhole(keyword);
  judgePattern({ start: open.end, end: inside.start }, scope, context);
  let at = inside.end;
  let folders = scope.folders;
  for (const item of node.children.slice(node.children.indexOf(inside) + 1, -1)) {
    if (item.type === 'comment') source.assertComment(item);
    else if (item.type !== 'case_item') return unreadable();
    source.assertBlank(at, item.start, true);
    at = item.end;
    // An item can go on with the next one, so all of them start where any of them may have ended.
    if (item.type === 'case_item') folders = either(folders, judgeItem(item, { ...scope, folders }, close.start, context));
  }
  source.assertBlank(at, close.start, true);
  return folders;
}

function judgeItem(item: ShellNode, scope: Scope, esac: number, context: Context): Folders {
  const bracket = item.children.findIndex(({ type }) => type === ')');
  const close = item.children[bracket];
  if (close === undefined) return unreadable();
  const start = item.children[0]?.type === '(' ? item.start + 1 : item.start;
  judgePattern({ start, end: close.start }, scope, context);
  const last = item.children.at(-1);
  const isEnded = last !== undefined && ENDS.includes(last.type);
  const nodes = item.children.slice(bracket + 1, isEnded ? -1 : undefined);
  const flow = context.sequence(nodes, scope, { start: close.end, end: isEnded ? last.start : esac });
  if (!isEnded && !flow.ended) return unreadable();
  return after(flow);
}

/** The word of a `case`, and the patterns of an item. */
function judgePattern({ start, end }: Range, scope: Scope, context: Context): void {
  const { source } = context;
  let at = start;
  while (at < end) {
    if (/[ \t\n|]/.test(source.text.charAt(at))) at++;
    else {
      const raw = readWord(source, at);
      if (raw.end === at || raw.end > end) unreadable();
      if (judgeWord(raw, scope, context).risk === 'risky') note(DOUBT.expansion, raw, context);
      at = raw.end;
    }
  }
}
