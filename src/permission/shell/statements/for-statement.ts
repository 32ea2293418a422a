import type { Context, Range, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import { judgeAllWithin } from '../words/expansions.js';
import type { Folders } from '../folders.js';
import { after, either } from '../folders.js';
import { judgeWord } from '../words/judge-word.js';
import { addLooseMentions } from '../commands/mentions.js';
import { judgeBetween } from './keywords.js';
import { foldersAfterLoop } from './loops.js';
import { note } from '../note.js';
import { HARMLESS_NAME } from '../readers/special.js';
import { readWord } from '../words/read-word.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';
import type { Word } from '../words/word.js';

/** Judges `for name in …` and `select`. Returns the folders after it. */
export function judgeFor(node: ShellNode, scope: Scope, context: Context): Folders {
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
  return judgeBody(node, body, withValues(source.text.slice(name.start, name.end), values, scope), context);
}

/** Within the body its variable stands for each of the values, where all of them are known. */
function withValues(name: string, words: readonly Word[], scope: Scope): Scope {
  const values = new Map(scope.values);
  if (HARMLESS_NAME.test(name) && words.length > 0 && words.every(({ text }) => text !== undefined)) values.set(name, words);
  else values.delete(name);
  return { ...scope, values };
}

/** The words behind `in`, up to the end of their line. */
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
    if (word.risk === 'risky') note(DOUBT.expansion, raw, context);
  }
  source.assertBlank(at, Math.max(at, end), true);
  return words;
}

function judgeBody(node: ShellNode, body: ShellNode, scope: Scope, context: Context): Folders {
  if (body.type !== 'do_group') return unreadable();
  return foldersAfterLoop(node, scope, either(scope.folders, after(judgeBetween(body, scope, context))), context);
}

/** Judges `for ((…))`. What it computes can run commands, so it is never let pass; the commands are found all the same. */
export function judgeCountingFor(node: ShellNode, scope: Scope, context: Context): Folders {
  const body = node.children.at(-1) ?? unreadable();
  note(DOUBT.expansion, { start: node.start, end: body.start }, context);
  for (const child of node.children.slice(0, -1)) judgeAllWithin({ ...child, children: [child] }, context, scope);
  return judgeBody(node, body, scope, context);
}
