import type { Amount } from '../model/purse.js';
import type { Spent } from '../model/usage.js';
import type { Failure } from '../tool/outcome.js';

/** A page that a search found. */
export interface WebHit {
  readonly url: string;
  readonly title: string;
  /** Excerpt of the page that matches the query; empty where the search gives none. */
  readonly snippet: string;
}

/** Results of a web search. */
export interface WebFindings {
  readonly hits: readonly WebHit[];
  /** Summary of the pages by a model; `[1]` in it refers to the first of them. Absent where pages are only listed. */
  readonly summary?: string;
  /** Why there are no hits, as data or as a sentence for the model; absent when nothing fits the query. */
  readonly problem?: Failure | string;
  readonly spent: Spent;
}

/** Something that searches the public web. */
export interface WebSearch {
  /** Name of the search service that gets the query, for display, such as `Brave Search`. */
  readonly name: string;
  /** Where the query is sent, such as `https://api.search.brave.com`; empty while there is no such place. */
  readonly address: string;
  /** Estimated maximum cost of one search; absent where searches are free. */
  readonly estimate?: Amount;
  /**
   * @param query on one line, at most 400 characters.
   * @throws ToolInputError or ProviderError when the search could not be made, saying what to do next; AbortError when the
   *   signal fired.
   */
  search(query: string, signal: AbortSignal): Promise<WebFindings>;
}
