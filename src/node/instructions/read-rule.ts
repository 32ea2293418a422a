import { splitPatterns } from '../../text/front-matter/forms.js';
import { type FrontMatter, readFrontMatter } from '../../text/front-matter/read-front-matter.js';
import type { PlainValue } from '../../text/front-matter/yaml-text.js';

/** The format of a file with instructions: that of `AGENTS.md`, or one of another tool, with its own front matter. */
export type Format = 'plain' | 'claude' | 'copilot' | 'cursor' | 'cline';

/** When the model gets the instructions of a file. */
export type Delivery =
  | { readonly when: 'always' }
  /** With the first file that fits one of the patterns. */
  | { readonly when: 'files'; readonly patterns: readonly string[] }
  /** Not automatically: the model gets the path and description, and reads the file where the task needs it. */
  | { readonly when: 'asked'; readonly description: string };

/** A rule: when the model gets it, and its text. */
export interface Rule {
  readonly delivery: Delivery;
  readonly body: string;
  /** What is wrong with its fields, sentences for the user. */
  readonly problems: readonly string[];
}

/** Patterns that every file fits. */
const EVERYTHING: ReadonlySet<string> = new Set(['**', '**/*', '*', '**/**']);
const ALWAYS: Delivery = { when: 'always' };

/** Reads a file with instructions that can have front matter. Nothing in it grants anything, so its text is used even when its fields cannot be parsed. */
export function readRule(text: string, format: Exclude<Format, 'plain'>): Rule {
  const { fields, body, problems } = readFrontMatter(text, { file: '', isLenient: true });
  return { delivery: deliveryOf(format, fields), body, problems: problems.filter(({ harmless }) => harmless !== true).map(({ message }) => message) };
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
function deliveryOf(format: Exclude<Format, 'plain'>, fields: FrontMatter['fields']): Delivery {
  const values = (name: string): readonly string[] => textsOf(fields.get(name)?.value);
  switch (format) {
    case 'copilot':
      return forFiles(values('applyTo')) ?? ALWAYS;
    case 'claude':
      return forFiles(values('paths'), anchored) ?? ALWAYS;
    case 'cline':
      return forFiles(values('paths')) ?? ALWAYS;
    case 'cursor':
      if (values('alwaysApply')[0]?.toLowerCase() === 'true') return ALWAYS;
      return forFiles(values('globs')) ?? { when: 'asked', description: values('description').join(' ') };
  }
}

function forFiles(values: readonly string[], meant: (pattern: string) => string = (pattern) => pattern): Delivery | undefined {
  const patterns = values.flatMap(splitPatterns);
  if (patterns.length === 0) return undefined;
  return patterns.some((pattern) => EVERYTHING.has(pattern)) ? ALWAYS : { when: 'files', patterns: patterns.map(meant) };
}

/** For Claude Code, `*.md` fits files in the folder of the rules alone ("Path-specific rules" has a table of examples). */
function anchored(pattern: string): string {
  return pattern.includes('/') ? pattern : pattern.replace(/^!?/, '$&/');
}

/** A text, or the texts in a list. */
function textsOf(value: PlainValue | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  const items: readonly PlainValue[] = Array.isArray(value) ? (value as readonly PlainValue[]) : [value];
  return items.flatMap((item) => (typeof item === 'object' ? [] : [String(item).trim()])).filter((text) => text !== '');
}
