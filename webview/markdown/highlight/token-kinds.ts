import type { CodeKind } from '../../../src/protocol/code-kinds.js';

/** Kind of a token. */
export type TokenKind = CodeKind;

/** The kinds by the names that language modes use for them. Every other name is plain text. */
const KINDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...kind('comment', 'comment', 'lineComment', 'blockComment', 'docComment', 'quote'),
  ...kind('string', 'string', 'character', 'regexp', 'escape', 'url', 'attributeValue'),
  ...kind('number', 'number', 'integer', 'float', 'atom', 'bool', 'null', 'unit', 'color', 'literal'),
  ...kind('keyword', 'keyword', 'self', 'modifier', 'controlKeyword', 'operatorKeyword', 'definitionKeyword', 'moduleKeyword', 'strong'),
  ...kind('type', 'type', 'typeName', 'className', 'qualifier', 'namespace'),
  ...kind('function', 'builtin', 'def', 'macroName', 'standard', 'labelName'),
  ...kind('property', 'property', 'propertyName', 'attribute', 'attributeName'),
  ...kind('tag', 'tag', 'tagName', 'heading', 'header'),
  ...kind('meta', 'meta', 'annotation', 'processingInstruction', 'documentMeta', 'link'),
  ...kind('added', 'inserted', 'positive'),
  ...kind('removed', 'deleted', 'negative'),
]);

/** The kind of a token, given its style in a language mode, if any: names with modifiers after dots, the most specific last. */
export function kindOf(style: string | null | undefined): TokenKind | undefined {
  for (const word of style?.split(' ').toReversed() ?? []) {
    const [name = '', ...modifiers] = word.split('.');
    const found = name === 'variableName' && modifiers.includes('definition') ? 'function' : KINDS.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kind(name: TokenKind, ...words: readonly string[]): readonly (readonly [string, TokenKind])[] {
  return words.map((word) => [word, name] as const);
}
