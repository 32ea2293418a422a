import { yieldEvery } from '../concurrency/steps.js';

/** Characters of a token, where only the order of magnitude matters. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Lines of a half of a snippet; each half ends one snippet and begins the next. */
const HALF_LINES = 20;
/** Milliseconds after which it yields: suggestions are looked for while one types. */
const SLICE_MS = 2;
/** Lines of a document that are looked at. */
const MAX_LINES = 1_000;
/** Characters before the cursor whose words a snippet is compared with. */
const NEAR_CHARACTERS = 1_500;
/** Minimum similarity of a useful snippet. */
const LEAST_LIKENESS = 0.04;
/** Words that say nothing about the subject of code. */
const COMMON: ReadonlySet<string> = new Set(
  [
    'import from export const let var function return class new this if else for while async await true false null undefined',
    'def self pub fn use the and not public private static void string number boolean int',
  ].flatMap((words) => words.split(' ')),
);

/** A document that may help. */
export interface RelatedDocument {
  readonly path: string;
  /** Changes with the text. */
  readonly version: number;
  /** Its text, which is read once for each version. */
  text(): string;
}

/** A part of another document that goes along. */
export interface Snippet {
  readonly path: string;
  readonly text: string;
}

interface Part {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** Roughly the tokens of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Finds what of other documents resembles the code at the cursor. Each version of a document is split once. */
export class SnippetFinder {
  private readonly known = new Map<string, { readonly version: number; readonly parts: readonly Part[] }>();

  /** The most alike part of each document, the best first, as far as they fit into the budget. @param budget in tokens. */
  async find(prefix: string, documents: readonly RelatedDocument[], budget: number): Promise<readonly Snippet[]> {
    const near = wordsOf(prefix.slice(-NEAR_CHARACTERS));
    const best: Rated[] = [];
    const pause = yieldEvery(SLICE_MS);
    for (const document of documents) {
      const parts = await this.partsOf(document, pause);
      await pause();
      best.push(...bestOf(document.path, parts, near));
    }
    let left = budget;
    return best
      .sort((a, b) => b.likeness - a.likeness)
      .flatMap(({ path, text }) => {
        const tokens = tokensOf(text);
        if (tokens > left) return [];
        left -= tokens;
        return [{ path, text }];
      });
  }

  /** Forgets the documents that are not among these. */
  keepOnly(paths: readonly string[]): void {
    for (const path of this.known.keys()) if (!paths.includes(path)) this.known.delete(path);
  }

  private async partsOf(document: RelatedDocument, pause: () => Promise<void> | undefined): Promise<readonly Part[]> {
    const { path, version } = document;
    const known = this.known.get(path);
    if (known?.version === version) return known.parts;
    const halves = halvesOf(document.text());
    const words: ReadonlySet<string>[] = [];
    for (const half of halves) {
      words.push(wordsOf(half));
      await pause();
    }
    const parts = halves.slice(0, Math.max(1, halves.length - 1)).map((half, index) => partOf(half, halves[index + 1], [words[index], words[index + 1]]));
    this.known.set(path, { version, parts });
    return parts;
  }
}

/** A snippet with how much it has in common with the code at the cursor. */
interface Rated extends Snippet {
  readonly likeness: number;
}

function bestOf(path: string, parts: readonly Part[], near: ReadonlySet<string>): readonly Rated[] {
  const rated = parts.map(({ text, words }) => ({ path, text, likeness: likeness(words, near) }));
  const [best] = rated.sort((a, b) => b.likeness - a.likeness);
  return best === undefined || best.likeness < LEAST_LIKENESS ? [] : [best];
}

function halvesOf(text: string): readonly string[] {
  const lines = text.split('\n', MAX_LINES);
  return Array.from({ length: Math.ceil(lines.length / HALF_LINES) }, (_, index) => lines.slice(index * HALF_LINES, (index + 1) * HALF_LINES).join('\n'));
}

function partOf(first: string, second: string | undefined, words: readonly (ReadonlySet<string> | undefined)[]): Part {
  return { text: second === undefined ? first : `${first}\n${second}`, words: new Set(words.flatMap((each) => [...(each ?? [])])) };
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Jaccard similarity: words in common among all words. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...b].filter((word) => a.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
