/** Characters of a token, where only the order of magnitude matters. */
const CHARACTERS_PER_TOKEN = 3.5;
/** Lines of a snippet, and how far one begins behind the one before. */
const SNIPPET_LINES = 40;
const STEP_LINES = 20;
/** Lines of a document that are looked at. */
const MAX_LINES = 2_000;
/** Characters before the cursor whose words a snippet is held against. */
const NEAR_CHARACTERS = 1_500;
/** Less in common than this helps nobody. */
const LEAST_LIKENESS = 0.04;
/** Words that say nothing of what code is about. */
const COMMON: ReadonlySet<string> = new Set(
  'import from export const let var function return class new this if else for while async await true false null undefined def self pub fn use the and not public private static void string number boolean int'.split(' '),
);

/** A document that may help. */
export interface RelatedDocument {
  readonly path: string;
  /** Changes with the text. */
  readonly version: number;
  readonly text: string;
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

/** Finds what of other documents resembles the code at the cursor. Each version of a document is taken apart once. */
export class SnippetFinder {
  private readonly known = new Map<string, { readonly version: number; readonly parts: readonly Part[] }>();

  /** The most alike part of each document, the best first, as far as they fit into the budget. @param budget in tokens. */
  find(prefix: string, documents: readonly RelatedDocument[], budget: number): readonly Snippet[] {
    const near = wordsOf(prefix.slice(-NEAR_CHARACTERS));
    const best = documents.flatMap((document) => bestOf(document.path, this.partsOf(document), near));
    let left = budget;
    return best.sort((a, b) => b.likeness - a.likeness).flatMap(({ path, text }) => {
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

  private partsOf({ path, version, text }: RelatedDocument): readonly Part[] {
    const known = this.known.get(path);
    if (known?.version === version) return known.parts;
    const parts = partsOf(text);
    this.known.set(path, { version, parts });
    return parts;
  }
}

function bestOf(path: string, parts: readonly Part[], near: ReadonlySet<string>): readonly { readonly path: string; readonly text: string; readonly likeness: number }[] {
  const rated = parts.map(({ text, words }) => ({ path, text, likeness: likeness(words, near) }));
  const best = rated.reduce<(typeof rated)[number] | undefined>((top, each) => (top === undefined || each.likeness > top.likeness ? each : top), undefined);
  return best === undefined || best.likeness < LEAST_LIKENESS ? [] : [best];
}

function partsOf(text: string): readonly Part[] {
  const lines = text.split('\n', MAX_LINES);
  const starts = Array.from({ length: Math.max(1, Math.ceil((lines.length - STEP_LINES) / STEP_LINES)) }, (_, index) => index * STEP_LINES);
  return starts.map((start) => {
    const part = lines.slice(start, start + SNIPPET_LINES).join('\n');
    return { text: part, words: wordsOf(part) };
  });
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Words in common among all words. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...b].filter((word) => a.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
