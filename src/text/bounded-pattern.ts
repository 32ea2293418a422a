/** Characters of a pattern that is used. */
const MAX_PATTERN = 200;
/** Characters of a value that a pattern is tried on. */
const MAX_MATCHED = 100;
/**
 * Maximum cost of a pattern. A part that matches text of varying length multiplies the time of an attempt by the length of the text,
 * one that may be absent or be another by two; with this, the worst pattern takes some 10⁸ steps.
 */
const MAX_COST = 7;
const COST_OF_REPEATING = 2;
const COST_OF_CHOOSING = 1;
/** Syntax that makes a pattern slow in ways that are not counted here: references and looking around. */
const REFUSED = /\\(?:[1-9]|k<)|\(\?(?!:)/;
/** A class, an escape, the beginning or end of a group, a quantifier, or any other character. */
const TOKEN = /\[(?:\\.|[^\]\\])*\]|\\.|\((?:\?:)?|\)|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/gu;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})/;
const EXACTLY = /^\{\d{1,2}\}/;

/**
 * A pattern of a stranger, if it is known to take little time on any text: one without repetitions in repetitions, and with few
 * repetitions and choices in all. `matches` is `undefined` for a text that is too long to be tried.
 * @returns nothing for a pattern that is not known to be quick or cannot be read; its author then has to check the value.
 */
export function boundedPattern(pattern: string): { readonly matches: (text: string) => boolean | undefined } | undefined {
  if (pattern.length > MAX_PATTERN || REFUSED.test(pattern) || costOf(pattern) > MAX_COST) return undefined;
  const compiled = compile(pattern);
  return compiled === undefined ? undefined : { matches: (text) => (text.length > MAX_MATCHED ? undefined : compiled.test(text)) };
}

/** Cost of a pattern; infinite when a part of varying length is repeated. */
function costOf(pattern: string): number {
  /** Whether each open group contains what varies. */
  const open: boolean[] = [];
  let cost = 0;
  /** Whether what a quantifier here would repeat varies in itself. */
  let varies = false;
  const addChoice = (amount: number): void => {
    cost += amount;
    if (open.length > 0) open[open.length - 1] = true;
  };
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token.startsWith('(')) open.push(false);
    else if (token === '|') addChoice(COST_OF_CHOOSING);
    else if (token === ')') {
      varies = open.pop() ?? false;
      if (varies) addChoice(0);
    } else if (!QUANTIFIER.test(token)) varies = false;
    else if (token.startsWith('?')) addChoice(COST_OF_CHOOSING);
    else if (varies) return Number.POSITIVE_INFINITY;
    else if (!EXACTLY.test(token)) addChoice(COST_OF_REPEATING);
  }
  return cost;
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // The pattern of a stranger need not be one.
    return undefined;
  }
}
