/** Replacement of a refused field: the same value under another name, or another value. */
export type Substitute = { readonly name: string } | { readonly value: number };

/** Optional part of a request: once a server has refused it, the request is sent again without it. */
export type Dispensable =
  /** The thinking in earlier answers. */
  | { readonly what: 'thinking' }
  /** Images of any kind. */
  | { readonly what: 'images' }
  /** The output schema, which then is described in the prompt: this schema only, or any. */
  | { readonly what: 'output'; readonly which: 'this' | 'any' }
  /** A field of the body, by the name that the API has for it. */
  | { readonly what: 'field'; readonly name: string; readonly instead?: Substitute };
