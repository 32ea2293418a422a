import { type Context, note, type Range, type Scope, type SequenceFlow } from '../context.js';
import { DOUBT, unreadable } from '../doubts.js';
import { after, either, type Flow, type Folders, staysIn } from '../folders.js';
import { judgeRedirectionsBehind } from './redirections.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { expandsSecret, judgeAllWithin } from '../words/expansions.js';
import { judgeWord } from '../words/judge-word.js';
import { addLooseMentions } from '../commands/mentions.js';
import { HARMLESS_NAME } from '../readers/special.js';
import { readWord } from '../words/read-word.js';
import type { Word } from '../words/word.js';

/** Statements between two keywords. */
interface Section {
  readonly open: ShellNode;
  readonly nodes: readonly ShellNode[];
  readonly close: ShellNode;
}

/** Judges what is between the first and the last child of a node: brackets, braces or keywords. */
function judgeBetween(node: ShellNode, scope: Scope, context: Context): SequenceFlow {
  const open = node.children[0];
  const close = node.children.at(-1);
  if (open === undefined || close === undefined || open === close) return unreadable();
  return judgeSection({ open, nodes: node.children.slice(1, -1), close }, scope, context);
}

/** Judges the statements of a section. @throws UnreadableError when the shell would not take its ends for keywords. */
function judgeSection({ open, nodes, close }: Section, scope: Scope, context: Context): SequenceFlow {
  if (open.type !== '(') context.source.assertWhole(open);
  const flow = context.sequence(nodes, scope, { start: open.end, end: close.start });
  if (close.type === ')') return flow;
  context.source.assertWhole(close);
  return flow.ended ? flow : unreadable();
}

/**
 * Cuts the children of a node into sections.
 * @param clauses nodes that are cut open.
 * @throws UnreadableError unless the first and the last child are keywords.
 */
function sectionsOf(node: ShellNode, keywords: readonly string[], clauses: readonly string[]): readonly Section[] {
  const flat = node.children.flatMap((child) => (clauses.includes(child.type) ? child.children : [child]));
  const marks = flat.flatMap((child, index) => (keywords.includes(child.type) ? [index] : []));
  if (marks[0] !== 0 || marks.at(-1) !== flat.length - 1) unreadable();
  return marks.slice(1).map((mark, index) => {
    const from = marks[index] ?? 0;
    return { open: flat[from] ?? unreadable(), nodes: flat.slice(from + 1, mark), close: flat[mark] ?? unreadable() };
  });
}

/** Judges a compound statement. @throws UnreadableError for one that is not known here. */
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
  judgeCompound(body, { ...scope, links: judgeRedirectionsBehind({ start: body.end, end: node.end }, scope, context) }, context);
  return staysIn(scope.folders);
}

/** Judges `if`. Returns the folders after it, whichever way it went. */
function judgeIf(node: ShellNode, scope: Scope, context: Context): Folders {
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

/** Judges `for name in …` and `select`. Returns the folders after it. */
function judgeFor(node: ShellNode, scope: Scope, context: Context): Folders {
  const { source } = context;
  const [keyword, name, ...others] = node.children;
  const body = others.at(-1);
  if (keyword === undefined || name?.type !== 'variable_name' || body === undefined) return unreadable();
  source.assertWhole(keyword);
  source.assertWhole(name);
  source.assertBlank(keyword.end, name.start);
  if (!HARMLESS_NAME.test(source.text.slice(name.start, name.end))) note(DOUBT.loop, { start: node.start, end: body.start }, context);
  const [first] = others;
  if (first?.type === 'in') {
    source.assertWhole(first);
    source.assertBlank(name.end, first.start, true);
  }
  const separator = others.find(({ type }) => type === ';');
  const from = first?.type === 'in' ? first.end : name.end;
  const values = judgeValues({ start: from, end: separator?.start ?? body.start }, scope, context);
  source.assertBlank(separator?.end ?? body.start, body.start, true);
  return judgeBody(node, body, withValues(name, { words: values, body }, scope, context), context);
}

/** The scope of a loop's body: the variable has each of the values, where all of them are known and nothing else sets it. */
function withValues(
  variable: ShellNode,
  { words, body }: { readonly words: readonly Word[]; readonly body: ShellNode },
  scope: Scope,
  { source }: Context,
): Scope {
  const name = source.text.slice(variable.start, variable.end);
  const values = new Map(scope.values);
  const isKnown =
    HARMLESS_NAME.test(name) &&
    words.length > 0 &&
    words.every(({ text }) => text !== undefined) &&
    !scope.assigned.resets(name) &&
    !loopsOver(name, body, source.text);
  if (isKnown) values.set(name, words);
  else values.delete(name);
  return { ...scope, values };
}

/** Whether a loop within another uses the same variable. */
function loopsOver(name: string, { type, children }: ShellNode, text: string): boolean {
  const [, variable] = children;
  if (type === 'for_statement' && variable !== undefined && text.slice(variable.start, variable.end) === name) return true;
  return children.some((child) => loopsOver(name, child, text));
}

/** Judges the words after `in`, up to the end of their line. */
function judgeValues({ start, end }: Range, scope: Scope, context: Context): readonly Word[] {
  const { source } = context;
  const words: Word[] = [];
  let at = start;
  for (;;) {
    at += /^(?:[ \t]|\\\n)*/.exec(source.text.slice(at))?.[0].length ?? 0;
    if (at >= end || source.text.charAt(at) === '\n') break;
    const raw = readWord(source, at);
    if (raw.end === at || raw.end > end) unreadable();
    at = raw.end;
    const word = judgeWord(raw, scope, context);
    words.push(word);
    addLooseMentions(word, scope, context);
    noteExpansions(word, context);
  }
  source.assertBlank(at, Math.max(at, end), true);
  return words;
}

/** Notes the expansions in a word of a loop or a choice: something that can itself act, or a secret that must not be revealed, not even bit by bit. */
function noteExpansions(word: Word, context: Context): void {
  if (word.risk === 'risky') note(DOUBT.expansion, word, context);
  if (expandsSecret(word, context)) note(DOUBT.secretVariable, word, context);
}

function judgeBody(node: ShellNode, body: ShellNode, scope: Scope, context: Context): Folders {
  if (body.type !== 'do_group') return unreadable();
  return foldersAfterLoop(node, scope, either(scope.folders, after(judgeBetween(body, scope, context))), context);
}

/** Judges `for ((…))`. What it computes can run commands, so it is never let pass; the commands are found all the same. */
function judgeCountingFor(node: ShellNode, scope: Scope, context: Context): Folders {
  const body = node.children.at(-1) ?? unreadable();
  note(DOUBT.expansion, { start: node.start, end: body.start }, context);
  for (const child of node.children.slice(0, -1)) judgeAllWithin({ ...child, children: [child] }, context, scope);
  return judgeBody(node, body, scope, context);
}

const ENDS: readonly string[] = [';;', ';&', ';;&'];

/** Judges `case`. Returns the folders after it, whichever way it went. */
function judgeCase(node: ShellNode, scope: Scope, context: Context): Folders {
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
    // An item can continue with the next one, so all of them start where any of them may have ended.
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
      noteExpansions(judgeWord(raw, scope, context), context);
      at = raw.end;
    }
  }
}

/** Judges `while` and `until`. Returns the folders after it. */
function judgeWhile(node: ShellNode, scope: Scope, context: Context): Folders {
  const [condition, body, ...more] = sectionsOf(node, ['while', 'until', 'do', 'done'], ['do_group']);
  if (condition === undefined || body === undefined || more.length > 0) return unreadable();
  const first = after(judgeSection(condition, scope, context));
  return foldersAfterLoop(node, scope, either(first, after(judgeSection(body, { ...scope, folders: first }, context))), context);
}

/** A loop that changes the folder does so again in the next round: then no folder is certain. */
function foldersAfterLoop(node: ShellNode, scope: Scope, folders: Folders, context: Context): Folders {
  if (String(folders) === String(scope.folders)) return folders;
  note(DOUBT.folder, node, context);
  return undefined;
}
