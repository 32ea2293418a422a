/**
 * A search by words (Okapi BM25: S. Robertson, H. Zaragoza, “The Probabilistic Relevance Framework: BM25 and Beyond”, 2009). Own code,
 * because what matters here is how names of tools are split into words, which no library does, and the rest is a formula: MiniSearch,
 * which is maintained and has BM25+, is 18 KB of prefix trees, fuzzy matching and storage for what are a few hundred short texts.
 */
import type { ServerTool } from './server-tools.js';

/** Weight of a word by the field it is in. */
const WEIGHTS = { name: 4, title: 3, server: 2, parameters: 1, description: 1 } as const;
/** The usual parameters: how soon repetition stops to count, and how much long texts are held back. */
const K1 = 1.2;
const B = 0.75;
/** Characters from which on the beginning of a word stands for it. */
const MIN_PREFIX = 3;
/** Weight of a prefix match, compared with a whole word. */
const PREFIX_WEIGHT = 0.5;
/** Words of a query that are looked for. */
const MAX_QUERY = 32;
/** Words that say nothing of what a tool does. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'of',
  'to',
  'for',
  'in',
  'on',
  'with',
  'and',
  'or',
  'by',
  'from',
  'is',
  'be',
  'it',
  'that',
  'this',
  'tool',
  'mcp',
]);

/** A tool that can be found. */
export interface IndexedTool extends ServerTool {
  readonly server: string;
}

/** Words of a tool and how much they count. */
interface Entry {
  readonly tool: IndexedTool;
  readonly words: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Finds tools by what they are called and what they say of themselves, in memory and the same every time. */
export class ToolIndex {
  private readonly entries: readonly Entry[];
  private readonly averageLength: number;
  /** Of each word, how many tools have it. */
  private readonly spread = new Map<string, number>();

  constructor(tools: readonly IndexedTool[]) {
    this.entries = tools.map(entryOf);
    this.averageLength = this.entries.reduce((total, { length }) => total + length, 0) / Math.max(1, tools.length);
    for (const { words } of this.entries) for (const word of words.keys()) this.spread.set(word, (this.spread.get(word) ?? 0) + 1);
  }

  /** The tools that fit a query best, the best first: those that it names, then those with its words. */
  find(query: string, limit: number): readonly IndexedTool[] {
    const named = new Set(query.split(/[\s,;"'`]+/));
    const words = [...new Set(wordsOf(query))].slice(0, MAX_QUERY).map((word) => this.expanded(word));
    const scored = this.entries.map((entry) => ({ entry, score: isNamed(entry.tool, named) ? Number.MAX_VALUE : this.score(entry, words) }));
    const found = scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.entry.tool.tool.spec.name < b.entry.tool.tool.spec.name ? -1 : 1));
    return found.slice(0, limit).map(({ entry }) => entry.tool);
  }

  /** A word with the known ones that begin as it does, where it is not known itself. */
  private expanded(word: string): ReadonlyMap<string, number> {
    if (this.spread.has(word) || word.length < MIN_PREFIX) return new Map([[word, 1]]);
    const near = [...this.spread.keys()].filter((known) => known.startsWith(word) || (known.length >= MIN_PREFIX && word.startsWith(known)));
    return new Map(near.map((known) => [known, PREFIX_WEIGHT]));
  }

  /** Of several known words for one of the query, the best counts. */
  private score({ words, length }: Entry, query: readonly ReadonlyMap<string, number>[]): number {
    const held = K1 * (1 - B + (B * length) / this.averageLength);
    return query.reduce((total, alternatives) => {
      let best = 0;
      for (const [word, weight] of alternatives) {
        const frequency = words.get(word) ?? 0;
        if (frequency > 0) best = Math.max(best, (weight * this.rarity(word) * frequency * (K1 + 1)) / (frequency + held));
      }
      return total + best;
    }, 0);
  }

  private rarity(word: string): number {
    const having = this.spread.get(word) ?? 0;
    return Math.log(1 + (this.entries.length - having + 0.5) / (having + 0.5));
  }
}

function isNamed({ info, tool }: IndexedTool, named: ReadonlySet<string>): boolean {
  // The bare name of a tool, such as “search”, can just as well be a word of the query.
  return named.has(tool.spec.name) || (/[_.-]|[a-z][A-Z]/.test(info.name) && named.has(info.name));
}

function entryOf(tool: IndexedTool): Entry {
  const { info, server } = tool;
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + weight);
  };
  add(info.name, WEIGHTS.name);
  add(info.title ?? '', WEIGHTS.title);
  add(server, WEIGHTS.server);
  add(Object.keys(tool.tool.spec.parameters['properties'] ?? {}).join(' '), WEIGHTS.parameters);
  add(tool.tool.spec.description, WEIGHTS.description);
  return { tool, words, length: [...words.values()].reduce((total, weight) => total + weight, 0) };
}

/** The words of a text or a name: `listPullRequests` and `list_pull_requests` have the same ones. Plurals are as singulars. */
function wordsOf(text: string): readonly string[] {
  const parts = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (parts ?? []).map(singular).filter((word) => !STOP_WORDS.has(word));
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}
