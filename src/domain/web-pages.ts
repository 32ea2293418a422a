/** A document of the web. */
export interface WebPage {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Media type without parameters, in lower case, such as `text/html`. */
  readonly contentType: string;
  /** The decoded text, cut at the size limit. */
  readonly text: string;
  readonly truncated: boolean;
}

/** Gets documents from the public web. */
export interface WebPages {
  /**
   * @param url http or https.
   * @throws ToolInputError for an address that is private, local or not of the web, for a redirect to another host
   *   (naming it, so that it can be asked for), too many redirects, what is not text, and what did not answer in time.
   */
  get(url: string, signal: AbortSignal): Promise<WebPage>;
}
