/** Kinds of tokens in code that have colors of their own. */
export const CODE_KINDS = ['comment', 'string', 'number', 'keyword', 'type', 'function', 'property', 'tag', 'meta', 'added', 'removed'] as const;
/** One of {@link CODE_KINDS}. */
export type CodeKind = (typeof CODE_KINDS)[number];

/** Colors of code as `#rrggbb` or `#rrggbbaa`; kinds that are not there have those of the page. */
export type CodeColors = Readonly<Partial<Record<CodeKind, string>>>;
