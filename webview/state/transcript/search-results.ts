/** A page that a search of the web found. */
export interface FoundPage {
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly snippet: string;
}

/** Results of a web search, for display. */
export interface SearchResults {
  /** A model's summary of the pages, in paragraphs; empty where they are only listed. */
  readonly summary: readonly string[];
  readonly pages: readonly FoundPage[];
}

/** A page in the output of a search: number and title, address, and what it says, a line each. */
const PAGE = /^\[\d+\] ([^\n]*)\n(https?:\/\/[^\s]+)(?:\n([^\n]*))?$/;

/** The pages in the output of a search, and what else is in it. */
export function searchResults(output: string): SearchResults {
  const pages: FoundPage[] = [];
  const summary: string[] = [];
  for (const part of output.split('\n\n')) {
    const [, title = '', url = '', snippet = ''] = PAGE.exec(part) ?? [];
    if (URL.canParse(url)) pages.push({ url, host: new URL(url).host, title, snippet });
    else if (part.trim() !== '') summary.push(part);
  }
  return { summary, pages };
}
