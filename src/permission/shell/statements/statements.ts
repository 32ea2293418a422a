import type { Context, Range, Scope, SequenceFlow } from '../context.js';
import { DOUBT, unreadable } from '../doubts.js';
import { expandsSecret } from '../words/expansions.js';
import { judgeWord } from '../words/judge-word.js';
import { readWord } from '../words/read-word.js';
import type { RawWord, Word } from '../words/word.js';
import { judgeCompound } from './compounds.js';
import { after, either, type Flow, type Folders, staysIn } from '../folders.js';
import { judgeRedirectionsBehind } from './redirections.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { judgeSimple } from '../commands/simple-command.js';

const REDIRECTS: ReadonlySet<string> = new Set(['file_redirect', 'heredoc_redirect', 'herestring_redirect']);

/**
 * Judges a statement. Redirections behind it reach to `end`; the grammar may tie them to a whole list or pipeline, the
 * shell ties them to its last command.
 * @throws UnreadableError for everything that is not known here.
 */
export function judgeStatement(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  switch (node.type) {
    case 'command':
    case 'declaration_command':
    case 'unset_command':
    case 'variable_assignment':
    case 'variable_assignments':
    case 'file_redirect':
      return judgeSimple({ start: node.start, end }, scope, context);
    case 'redirected_statement':
      return judgeRedirected(node, scope, end, context);
    case 'list':
      return judgeList(node, scope, end, context);
    case 'pipeline':
      return judgePipeline(node, scope, end, context);
    case 'negated_command':
      return judgeNegated(node, scope, end, context);
    case 'test_command':
      return judgeTest(node, scope, end, context);
    default:
      return judgeCompound(node, { ...scope, links: judgeRedirectionsBehind({ start: node.end, end }, scope, context) }, context);
  }
}

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
function judgeCondition(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
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

/** `[[` is syntax, `[` is a program like any other. */
function judgeTest(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  if (context.source.text.startsWith('[[', node.start)) return judgeCondition(node, scope, end, context);
  return judgeSimple({ start: node.start, end }, scope, context);
}

function judgeRedirected(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  const [body, ...redirects] = node.children;
  if (body === undefined || redirects.some(({ type }) => !REDIRECTS.has(type))) return unreadable();
  if (REDIRECTS.has(body.type)) return judgeSimple({ start: node.start, end }, scope, context);
  return judgeStatement(body, scope, end, context);
}

function judgeList(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  const [left, operator, right, ...more] = withoutComments(node, context, /^(?:&&|\|\|)$/);
  if (left === undefined || operator === undefined || right === undefined || more.length > 0) return unreadable();
  // The shell ties lists to the left.
  if (right.type === 'list') return unreadable();
  const first = judgeStatement(left, scope, left.end, context);
  const and = operator.type === '&&';
  const second = judgeStatement(right, { ...scope, folders: and ? first.worked : first.failed }, end, context);
  return and ? { worked: second.worked, failed: either(first.failed, second.failed) } : { worked: either(first.worked, second.worked), failed: second.failed };
}

/** Every part of a pipeline runs in a shell of its own. */
function judgePipeline(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  const parts = withoutComments(node, context, /^\|&?$/);
  let { input, links = {} } = scope;
  parts.forEach((part, index) => {
    const isOperator = part.type === '|' || part.type === '|&';
    if (isOperator !== (index % 2 === 1)) unreadable();
    if (isOperator) {
      if (part.type === '|&') input = undefined;
    } else {
      const before = context.findings.commands.length;
      input = judgeStatement(part, { ...scope, input, links }, index === parts.length - 1 ? end : part.end, context).names;
      links = { ...links, input: context.findings.since(before) };
    }
  });
  return parts.length % 2 === 1 ? staysIn(scope.folders) : unreadable();
}

function judgeNegated(node: ShellNode, scope: Scope, end: number, context: Context): Flow {
  const [mark, body, ...more] = node.children;
  if (mark === undefined || body === undefined || more.length > 0) return unreadable();
  context.source.assertWhole(mark);
  context.source.assertBlank(mark.end, body.start);
  const { worked, failed } = judgeStatement(body, scope, end, context);
  return { worked: failed, failed: worked };
}

/** The children of a node whose parts an operator ties; behind operators and comments a line may end. */
function withoutComments(node: ShellNode, context: Context, operators: RegExp): readonly ShellNode[] {
  const { children } = node;
  for (const child of children) if (child.type === 'comment') context.source.assertComment(child);
  context.source.assertChain(children, new RegExp(`${operators.source}|^comment$`));
  children.forEach((child, index) => {
    const before = children[index - 1]?.type ?? '';
    if (child.type === 'comment' && before !== 'comment' && !operators.test(before)) unreadable();
  });
  return children.filter((child) => child.type !== 'comment');
}

/**
 * Judges statements one after the other.
 * @param range all of the text in which they stand.
 * @throws UnreadableError when something else is there, or two statements are not apart.
 */
export function judgeSequence(nodes: readonly ShellNode[], scope: Scope, range: Range, context: Context): SequenceFlow {
  const reader = new SequenceReader(scope, range.start, context);
  for (const node of nodes) reader.read(node);
  return reader.finish(range.end);
}

class SequenceReader {
  private flow: Flow;
  private before: Folders;
  /** Number of commands before the last statement. */
  private count = 0;
  /** Whether the last statement is followed by something that ends it. */
  private ended = true;
  private at: number;

  constructor(
    private readonly scope: Scope,
    start: number,
    private readonly context: Context,
  ) {
    this.at = start;
    this.flow = staysIn(scope.folders);
    this.before = scope.folders;
  }

  read(node: ShellNode): void {
    this.skipTo(node.start);
    if (node.type === 'comment') this.context.source.assertComment(node);
    else if (node.type === ';' || node.type === '&') this.readEnd(node.type);
    else this.readStatement(node);
    this.at = node.end;
  }

  finish(end: number): SequenceFlow {
    this.skipTo(end);
    return { ...this.flow, ended: this.ended };
  }

  private skipTo(place: number): void {
    const { source } = this.context;
    source.assertBlank(this.at, place, true);
    this.ended ||= source.hasNewline(this.at, place);
  }

  private readEnd(operator: ';' | '&'): void {
    if (this.ended) unreadable();
    this.ended = true;
    // In the background it runs in a shell of its own.
    if (operator !== '&') return;
    this.flow = staysIn(this.before);
    this.context.findings.markBackground(this.count);
  }

  private readStatement(node: ShellNode): void {
    if (!this.ended) unreadable();
    this.before = after(this.flow);
    this.count = this.context.findings.commands.length;
    this.flow = judgeStatement(node, { ...this.scope, folders: this.before }, node.end, this.context);
    this.ended = false;
  }
}
