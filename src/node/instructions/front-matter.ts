/** The format of a file with instructions: that of `AGENTS.md`, or one of another tool, with its own front matter. */
export type Format = 'plain' | 'claude' | 'copilot' | 'cursor' | 'cline';

/** When the model gets the instructions of a file. */
export type Delivery =
  | { readonly when: 'always' }
  /** With the first file that fits one of the patterns. */
  | { readonly when: 'files'; readonly patterns: readonly string[] }
  /** Not by itself: it is told that there is such a file, and reads it where the task needs it. */
  | { readonly when: 'asked'; readonly description: string };

/** The fields of front matter, and the text behind it. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** Patterns that every file fits. */
const EVERYTHING: ReadonlySet<string> = new Set(['**', '**/*', '*', '**/**']);
const ALWAYS: Delivery = { when: 'always' };

/**
 * Splits front matter off a text: what stands between a first line `---` and the next such line. A block without an end is
 * text like any other, and lines that are no field are passed over.
 *
 * Own code, because a YAML parser refuses what these files contain and their tools accept: a pattern such as `*.ts` without
 * quotes is an alias in YAML. Fields are a text, a list in brackets, or a list of lines with dashes.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines[0]?.trimEnd() === '---' ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') : -1;
  if (end < 0) return { fields: new Map(), body: text };
  const fields = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of lines.slice(1, end)) {
    const [, name, value = ''] = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(line) ?? [];
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? [];
    if (name !== undefined) fields.set(name, (current = valuesOf(value)));
    else if (item !== undefined) current?.push(...valuesOf(item));
  }
  return { fields, body: lines.slice(end + 1).join('\n') };
}

function valuesOf(value: string): string[] {
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value.trim());
  if (quoted !== null) return [quoted[2] ?? ''];
  const plain = value.replace(/(^|\s)#.*$/, '').trim();
  if (plain === '') return [];
  const list = /^\[(.*)\]$/.exec(plain);
  return list === null ? [plain] : splitAtCommas(list[1] ?? '').flatMap(valuesOf);
}

/**
 * When the instructions of a file apply.
 *
 * - Copilot: code.visualstudio.com, "Use custom instructions in VS Code": `applyTo` has patterns with commas between them.
 *   VS Code leaves it to the user to attach a file without it; here it always applies.
 * - Cursor: cursor.com/docs, "Rules": `alwaysApply`, else `globs`, else the agent decides by the `description`.
 * - Claude Code: code.claude.com/docs/en/memory, "Path-specific rules", and Cline: docs.cline.bot, "Conditional rules": `paths` has patterns;
 *   a rule without it always applies.
 */
export function deliveryOf(format: Format, fields: FrontMatter['fields']): Delivery {
  switch (format) {
    case 'plain':
      return ALWAYS;
    case 'copilot':
      return forFiles(fields.get('applyTo')) ?? ALWAYS;
    case 'claude':
      return forFiles(fields.get('paths'), anchored) ?? ALWAYS;
    case 'cline':
      return forFiles(fields.get('paths')) ?? ALWAYS;
    case 'cursor':
      if (fields.get('alwaysApply')?.[0]?.toLowerCase() === 'true') return ALWAYS;
      return forFiles(fields.get('globs')) ?? { when: 'asked', description: fields.get('description')?.join(' ') ?? '' };
  }
}

function forFiles(values: readonly string[] = [], meant: (pattern: string) => string = (pattern) => pattern): Delivery | undefined {
  const patterns = values.flatMap(splitAtCommas);
  if (patterns.length === 0) return undefined;
  return patterns.some((pattern) => EVERYTHING.has(pattern)) ? ALWAYS : { when: 'files', patterns: patterns.map(meant) };
}

/** For Claude Code, `*.md` fits files in the folder of the rules alone ("Path-specific rules" has a table of examples). */
function anchored(pattern: string): string {
  return pattern.includes('/') ? pattern : pattern.replace(/^!?/, '$&/');
}

/** Splits at the commas that are not within braces. */
function splitAtCommas(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
