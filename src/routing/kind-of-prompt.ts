import { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';
import data from './kind-words.json';

/** What is known of a prompt beside its text. */
export interface PromptHints {
  /** Name of the slash command that it was written with, without the slash. */
  readonly command?: string;
  /** Whether the chat only plans, and changes nothing. */
  readonly planOnly?: boolean;
  /** What the chat was about before: what is not recognized, such as “Go on”, is about the same. */
  readonly usual?: TaskKind;
}

/** Characters that are read of a prompt: where it begins, and where it ends, as people paste logs and ask before or after them. */
const READ = { first: 3_000, last: 1_000 };
/** Characters of a word that are looked up, and of a phrase without spaces. */
const LONGEST = { word: 24, run: 8 };
/** Words after a negation that it may be about: “no new tests”. */
const NEGATED = 2;
/** Below this, what was found may be chance: the prompt is not recognized. */
const LEAST = 1.5;
/** The same for something new in a chat that was about something else. */
const LEAST_NEW = 3;
/** How much a plan-only chat speaks for planning. */
const PLAN_ONLY = 6;
/** Share of characters that only code has, from which on a line is code. */
const CODE_SHARE = 0.06;
const CODE_MARKS = new Set('{}();=<>[]|&$');
/** Characters of languages that are written without spaces. */
const WITHOUT_SPACES = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+(?:['’\-./:#\\]{1,2}[\p{L}\p{M}\p{N}_]+)*/gu;
const CLAUSE_END = /[.!?;:,()\n¿¡–—>]/u;
const TRACE =
  /^\s*(at [\w.$<]+|File "|Traceback|Caused by|[\w.]*(?:Error|Exception)\b:|panic:|thread '.*panicked|error(?:\[\w+\])?:|fatal(?: error)?:|E\s{3})/iu;
const DIFF = /^(diff --git |@@ |[-+]{3} [ab]\/|[-+]\s{2})/u;
const CHOICE = /\b(?:or|oder|ou|o|czy|veya)\b[^.!\n]{0,80}\?/iu;

interface Node {
  readonly next: Map<string, Node>;
  /** What the phrase that ends here suggests. */
  readonly suggests: (readonly [kind: number, weight: number])[];
}
interface Token {
  readonly text: string;
  readonly beginsClause: boolean;
  readonly hasNoSpaces: boolean;
}

const newNode = (): Node => ({ next: new Map(), suggests: [] });
const SKIPPED = new Set(data.skippedAtStart);
const NEGATIONS = new Set(data.negations);
const COMMANDS = new Map(Object.entries(data.commands));
const ROOT = treeOf(data.words);

/** The kind of work that a prompt asks for, by its words: no more than a guess, and as quick for a long one. What is not recognized is the usual kind. */
export function kindOfPrompt(prompt: string, { command, planOnly = false, usual }: PromptHints = {}): TaskKind {
  const named = COMMANDS.get(command?.toLowerCase() ?? '');
  const asked = TASK_KINDS.find((kind) => kind === named);
  if (asked !== undefined) return asked;
  const scores = scoresOf(excerptOf(prompt));
  if (planOnly) add(scores, 'planning', PLAN_ONLY);
  const best = Math.max(...scores);
  const kind = TASK_KINDS[scores.indexOf(best)] ?? 'generation';
  // “Go on” and “continue” speak for something new, but weakly: they mean what there was.
  if (best < LEAST || (usual !== undefined && kind === 'generation' && best < LEAST_NEW)) return usual ?? 'generation';
  return kind;
}

function excerptOf(prompt: string): string {
  return prompt.length <= READ.first + READ.last ? prompt : `${prompt.slice(0, READ.first)}\n${prompt.slice(-READ.last)}`;
}

function add(scores: number[], kind: TaskKind, weight: number): void {
  const index = TASK_KINDS.indexOf(kind);
  scores[index] = (scores[index] ?? 0) + weight;
}

function scoresOf(text: string): number[] {
  const scores = TASK_KINDS.map(() => 0);
  const lines = text.split('\n');
  const prose = lines.filter((line, at) => at === 0 || !isCode(line)).join('\n');
  if (lines.some(isCode)) for (const kind of ['explain', 'refactor', 'review'] as const) add(scores, kind, 1);
  if (lines.some((line) => TRACE.test(line.slice(0, 200)))) add(scores, 'debug', 6);
  if (lines.some((line) => DIFF.test(line.slice(0, 20)))) add(scores, 'review', 3);
  if (/[?？]/u.test(prose)) for (const kind of ['explain', 'review', 'planning', 'security_review'] as const) add(scores, kind, 1);
  if (CHOICE.test(prose)) add(scores, 'planning', 2);
  for (const { suggests } of phrasesIn(tokensOf(prose))) for (const [kind, weight] of suggests) scores[kind] = (scores[kind] ?? 0) + weight;
  add(scores, 'generation', 1);
  return scores;
}

function isCode(line: string): boolean {
  let marks = 0;
  for (const character of line.slice(0, 200)) if (CODE_MARKS.has(character)) marks += 1;
  return marks >= 2 && marks / Math.min(line.length, 200) >= CODE_SHARE;
}

function tokensOf(text: string): readonly Token[] {
  const spaced = text.toLowerCase().replace(WITHOUT_SPACES, ' $& ');
  const tokens: Token[] = [];
  let end = 0;
  let begins = true;
  for (const { 0: word, index } of spaced.matchAll(WORD)) {
    if (CLAUSE_END.test(spaced.slice(end, index))) begins = true;
    end = index + word.length;
    tokens.push({ text: word.slice(0, LONGEST.word).replaceAll('’', "'"), beginsClause: begins, hasNoSpaces: word.search(WITHOUT_SPACES) === 0 });
    if (!SKIPPED.has(word)) begins = false;
  }
  return tokens;
}

/** The phrases of the table that are there, each once, without those that are negated. */
function phrasesIn(tokens: readonly Token[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  let sinceNegation = Infinity;
  tokens.forEach((token, at) => {
    sinceNegation = NEGATIONS.has(token.text) ? 0 : sinceNegation + 1;
    if (token.hasNoSpaces) inRun(token.text, found);
    else if (sinceNegation === 0 || sinceNegation > NEGATED) follow(ROOT, tokens, at, found);
  });
  return found;
}

function inRun(run: string, found: Set<Node>): void {
  for (let from = 0; from < run.length; from += 1)
    for (let length = 1; length <= LONGEST.run; length += 1) {
      const node = ROOT.next.get(run.slice(from, from + length));
      if (node !== undefined && node.suggests.length > 0) found.add(node);
    }
}

function follow(from: Node, tokens: readonly Token[], at: number, found: Set<Node>): void {
  const token = tokens[at];
  if (token === undefined) return;
  for (const key of keysOf(token, from === ROOT)) {
    const node = from.next.get(key);
    if (node === undefined) continue;
    if (node.suggests.length > 0) found.add(node);
    if (node.next.size > 0) follow(node, tokens, at + 1, found);
  }
}

/** What a word may be in the table: itself, what begins a clause, what it begins with. */
function keysOf({ text, beginsClause }: Token, isFirst: boolean): readonly string[] {
  const keys = isFirst && beginsClause ? [text, `^${text}`] : [text];
  for (let length = 3; length <= text.length; length += 1) {
    keys.push(`${text.slice(0, length)}*`);
    if (isFirst && beginsClause) keys.push(`^${text.slice(0, length)}*`);
  }
  return keys;
}

function treeOf(words: Readonly<Record<TaskKind, Readonly<Record<string, readonly string[]>>>>): Node {
  const root = newNode();
  TASK_KINDS.forEach((kind, index) => {
    for (const [weight, phrases] of Object.entries(words[kind])) {
      for (const phrase of phrases) nodeOf(root, phrase).suggests.push([index, Number(weight)]);
    }
  });
  return root;
}

function nodeOf(root: Node, phrase: string): Node {
  let node = root;
  for (const { text } of tokensOf(phrase)) {
    const isLast = phrase.endsWith(`${text}*`);
    const key = `${phrase.startsWith('^') && node === root ? '^' : ''}${text}${isLast ? '*' : ''}`;
    const next = node.next.get(key) ?? newNode();
    node.next.set(key, next);
    node = next;
  }
  return node;
}
