import { type Token, type Tokens, Lexer, Marked } from 'marked';

/**
 * GitHub-flavored Markdown, except that
 * - HTML is text: its tokens are never made, so that a tag in an answer is shown as it was written;
 * - reference definitions are text: a later line could otherwise change blocks that are long finished.
 */
export const dialect = newDialect();

/** Another parser of the same dialect, to be extended. */
export function newDialect(): Marked {
  return new Marked({ gfm: true, tokenizer: { html: () => undefined, tag: () => undefined, def: () => undefined } });
}

/** Splits Markdown into blocks, without looking into their lines. The raw texts of the blocks are the whole source. */
export function lexBlocks(source: string): readonly Token[] {
  try {
    return new Lexer(dialect.defaults).blockTokens(source, []);
  } catch {
    // marked 18 throws a TypeError for some texts, such as "- a\n    > *\na". They are one block then.
    return [{ type: 'text', raw: source, text: source }];
  }
}

/** Parses Markdown, with all that is inside of its blocks. @throws TypeError for a few texts, see {@link lexBlocks}. */
export function lexAll(source: string, parser = dialect): readonly Token[] {
  return parser.lexer(source);
}

/** Narrows a token to a list. */
export function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}
