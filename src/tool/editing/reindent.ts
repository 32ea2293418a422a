/** The white space before a line, in an edit and in the text that it means. */
export interface IndentPair {
  readonly inOld: string;
  readonly inText: string;
}

/** How many spaces stand for a tab where the lines do not tell. */
const USUAL_WIDTH = 4;

/**
 * Turns indentation by spaces into that by tabs, or the other way round, as some lines show that it is to be done;
 * `undefined` when they do not agree, or are not one all of spaces and the other all of tabs. What it returns gives
 * `undefined` for an indentation that has no counterpart.
 */
export function indentTranslation(pairs: readonly IndentPair[]): ((indent: string) => string | undefined) | undefined {
  const known = new Map<number, number>();
  for (const { inOld, inText } of pairs) {
    if ((known.get(inOld.length) ?? inText.length) !== inText.length) return undefined;
    known.set(inOld.length, inText.length);
  }
  const [old, text] = [characterOf(pairs.map(({ inOld }) => inOld)), characterOf(pairs.map(({ inText }) => inText))];
  if (old === undefined || text === undefined || old === text) return undefined;
  const ratio = ratioOf([...known].sort(([a], [b]) => a - b)) ?? (old === ' ' ? 1 / USUAL_WIDTH : USUAL_WIDTH);
  return (indent) => {
    if (indent !== old.repeat(indent.length)) return undefined;
    const nearest = [...known].reduce((best, pair) => (Math.abs(pair[0] - indent.length) < Math.abs(best[0] - indent.length) ? pair : best));
    const length = nearest[1] + (indent.length - nearest[0]) * ratio;
    return Number.isInteger(length) && length >= 0 ? text.repeat(length) : undefined;
  };
}

/** The only character of some indentations; `undefined` when there is none or more than one. */
function characterOf(indents: readonly string[]): string | undefined {
  const characters = new Set(indents.join(''));
  return characters.size === 1 ? [...characters][0] : undefined;
}

/** Characters of the text for one of the edit, by the steps between lines, else by the only indentation there is. */
function ratioOf(sorted: readonly (readonly [number, number])[]): number | undefined {
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = first === last ? ([0, 0] as const) : first;
  const ratio = (last[1] - from[1]) / (last[0] - from[0]);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}
