/** What a server said of a request that it refused. */
export interface Said {
  /** All its words, codes among them. */
  readonly words: string;
  /** The fields that it names in a place of their own. */
  readonly named?: readonly string[];
}

/** Characters that are looked at: servers send whole pages, and whole requests back. */
const MOST_CHARACTERS = 20_000;
/** How deep an error may be wrapped in others. */
const DEPTH = 12;

/**
 * Everything that the body of a failure says, whatever its form: a text, a list, an object, or JSON as a text within it, as
 * gateways pass on the errors of others (OpenRouter, in `metadata.raw`). Fields are named by OpenAI in `param` and by FastAPI
 * in `loc`.
 */
export function saidBy(body: unknown): Said {
  const said = { words: [] as string[], named: [] as string[] };
  collect(body, said, DEPTH);
  return { words: said.words.join('\n').slice(0, MOST_CHARACTERS), named: said.named };
}

/** Whether the model wrote a call that the server could not read: another answer may do better. Source: console.groq.com, "Errors". */
export function isSlipOfModel(words: string): boolean {
  return /tool_use_failed|failed to call a function/i.test(words);
}

function collect(value: unknown, said: { readonly words: string[]; readonly named: string[] }, depth: number): void {
  if (depth === 0) return;
  if (typeof value === 'number') said.words.push(String(value));
  if (typeof value === 'string') {
    const inner = jsonIn(value);
    if (inner === undefined) said.words.push(value);
    else collect(inner, said, depth - 1);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'param' && typeof each === 'string') said.named.push(each);
    // `["body", "messages", 0, "reasoning_content"]`
    if (key === 'loc' && Array.isArray(each)) said.named.push(each.filter((part) => part !== 'body').join('.'));
    collect(each, said, depth - 1);
  }
}

function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/);
  if (start < 0 || !/[}\]]\s*$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    // What stands before it, such as `HTTP 400: `, says something, too.
    return start === 0 ? value : [text.slice(0, start), value];
  } catch {
    return undefined;
  }
}
