import type { Context, Scope } from '../context.js';
import { DOUBT } from '../doubts.js';
import { type Flow, staysIn } from '../folders.js';
import { expandsSecret } from '../words/expansions.js';
import { judgeWord } from '../words/judge-word.js';
import { readWord } from '../words/read-word.js';
import { judgeRedirectionsBehind } from './redirections.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { unreadable } from '../unreadable.js';
import type { RawWord, Word } from '../words/word.js';

const OPERATOR = /(?:[ \t\n]|\\\n)*(?:(&&|\|\||[()]|[<>](?!\())|(!)(?=[ \t]))?/y;
/** Patterns and expressions behind `==` and `=~`, where brackets and bars are part of the word. */
const EXPRESSION = /[\w^$.*+?()|[\]{},:/@%=~#-]+(?=[ \t\n])/y;
/** Tests of a file, which only look at it. */
const FILE_TEST = /^-(?:[abcdefghkprstuwxLGNOS]|nt|ot|ef)$/;
/** Comparisons of numbers; an operand that is not a number is evaluated, which can run commands. */
const NUMBER_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/;
const NUMBER = /^[+-]?\d+$/;
/** Tests of variables, whose names are computed likewise. */
const VARIABLE_TEST = /^-[vR]$/;

/** Judges `[[ … ]]`, whose text is read by the rules of bash. */
export function judgeCondition(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  const { source, findings } = context;
  const links = judgeRedirectionsBehind({ start: node.end, end }, scope, context);
  if (!/^\[\[[ \t\n][^]*[ \t\n]\]\]$/.test(source.text.slice(node.start, node.end))) unreadable();
  source.assertWhole(node);
  const words = readWords(node, scope, context);
  const secret = words.some((word) => expandsSecret(word, context)) ? [DOUBT.secretVariable] : [];
  const doubts = [...scope.doubts, ...doubtsOf(words), ...secret];
  for (const path of filesOf(words)) findings.addFile({ kind: 'read', path, by: 'operand' }, scope.folders);
  findings.addCommand({
    source: source.text.slice(node.start, end),
    words: ['[[', ...words.map(({ text }) => text), ']]'],
    readsOnly: doubts.length === 0,
    doubts,
    ...links,
  });
  return staysIn(scope.folders);
}

function readWords(node: ShellNode, scope: Scope, context: Context): readonly Word[] {
  const { source } = context;
  const words: Word[] = [];
  let at = node.start + 2;
  const end = node.end - 2;
  for (;;) {
    OPERATOR.lastIndex = at;
    const operator = OPERATOR.exec(source.text);
    at += operator?.[0].length ?? 0;
    if (operator?.[1] !== undefined || operator?.[2] !== undefined) continue;
    if (at >= end) break;
    const raw = (words.at(-1)?.text === '=~' ? expressionAt(source.text, at) : undefined) ?? readWord(source, at);
    if (raw.end === at || raw.end > end) unreadable();
    words.push(judgeWord(raw, scope, context));
    at = raw.end;
  }
  return at === end ? words : unreadable();
}

/** A regular expression, when it is one without quotes and expansions. */
function expressionAt(text: string, at: number): RawWord | undefined {
  EXPRESSION.lastIndex = at;
  const found = EXPRESSION.exec(text)?.[0];
  if (found === undefined || /\$[\w({[]/.test(found)) return undefined;
  return { start: at, end: at + found.length, pieces: [{ kind: 'text', text: found, quoted: true }], expansions: [] };
}

function doubtsOf(words: readonly Word[]): readonly string[] {
  const computes = words.some(({ text = '', risk }, index) => {
    if (risk === 'risky' || VARIABLE_TEST.test(text)) return true;
    const operands = [words[index - 1]?.text, words[index + 1]?.text];
    return NUMBER_TEST.test(text) && operands.some((operand) => operand === undefined || !NUMBER.test(operand));
  });
  return computes ? [DOUBT.expansion] : [];
}

function filesOf(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text = '' }, index) => {
    if (!FILE_TEST.test(text)) return [];
    const operands = /^-(?:nt|ot|ef)$/.test(text) ? [words[index - 1], words[index + 1]] : [words[index + 1]];
    return operands.flatMap((operand) => operand?.text ?? []);
  });
}
