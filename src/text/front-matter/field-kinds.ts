/**
 * Kind of a field, which decides how leniently its value may be read: a `text` is shown or sent and decides nothing; what `limits` or grants something is
 * YAML or cannot be read; `tools` does so as well, and may be a list of names with stars; `patterns` say for which files something is there; of
 * `others`, such as names, little is known.
 */
export type FieldKind = 'text' | 'limits' | 'tools' | 'patterns' | 'others';

/** Fields that people read, in the form of {@link plainName}. */
const TEXTS: ReadonlySet<string> = new Set(
  [
    'description argumenthint whentouse title summary usage example examples author license compatibility version category color colour homepage',
    'source origin displayname systemprompt initialprompt',
  ].flatMap((names) => names.split(' ')),
);
/** Fields with patterns for paths: of Copilot, of Cursor, and of Claude Code and Cline. */
const PATTERNS: ReadonlySet<string> = new Set(['applyto', 'globs', 'paths']);
/** Parts of the names of fields that decide what may be done, in any program: a field of that kind that is new to Gnomon counts as one, too. */
const LIMITING = /^max|tool|allow|deny|denied|permission|hook|mcp|readonly|invo[ck]|sandbox|restrict/;

/** Kind of a field. @param name as it is written */
export function kindOfField(name: string): FieldKind {
  const plain = plainName(name);
  if (TEXTS.has(plain)) return 'text';
  if (plain === 'tools') return 'tools';
  if (PATTERNS.has(plain)) return 'patterns';
  return LIMITING.test(plain) ? 'limits' : 'others';
}

/** Whether a field limits or grants something. @param name as it is written */
export function isLimitingField(name: string): boolean {
  const kind = kindOfField(name);
  return kind === 'limits' || kind === 'tools';
}

/** A name without regard to case, hyphens, and underscores. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
