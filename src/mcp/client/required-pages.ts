import { ProtocolError } from '@modelcontextprotocol/client';
import type { McpHandlers } from '../../domain/mcp/connection.js';
import type { McpElicitation } from '../../domain/mcp/request.js';
import { list, record } from './wire/json.js';
import type { OpenQuestions } from './patience.js';
import { elicitationOf } from './server-requests.js';

/** The error by which a server of 2025-11-25 says that the user has to visit pages before it answers. */
const PAGES_REQUIRED = -32_042;
/** Pages of one request. */
const MAX_PAGES = 5;

type Page = McpElicitation & { readonly mode: 'url' };

/** Knows which pages users have been sent to, and who waits for them to be done there. */
export class RequiredPages {
  private readonly waiting = new Map<string, () => void>();

  /** A server says that the user is done with a page. */
  done(id: string): void {
    this.waiting.get(id)?.();
    this.waiting.delete(id);
  }

  /**
   * Has the user visit the pages that an error asks for, and waits until the server says that they are done.
   * @returns whether to send the request again; `false` if the error is about something else, or the user does not want to
   */
  async visited(
    error: unknown,
    { elicit, questions }: { readonly elicit: McpHandlers['elicit']; readonly questions: OpenQuestions },
    signal: AbortSignal,
  ): Promise<boolean> {
    const pages = pagesOf(error);
    return elicit !== undefined && pages.length > 0 && questions.during(() => this.visit(pages, elicit, signal));
  }

  private async visit(pages: readonly Page[], elicit: NonNullable<McpHandlers['elicit']>, signal: AbortSignal): Promise<boolean> {
    for (const page of pages) {
      // Before the user is asked: it may be quick.
      const done = page.id === '' ? Promise.resolve() : new Promise<void>((resolve) => this.waiting.set(page.id, resolve));
      signal.addEventListener('abort', () => this.done(page.id), { once: true });
      const { action } = await elicit(page, signal);
      if (action !== 'accept') return false;
      await done;
      signal.throwIfAborted();
    }
    return true;
  }
}

function pagesOf(error: unknown): readonly Page[] {
  if (!(error instanceof ProtocolError) || error.code !== PAGES_REQUIRED) return [];
  const pages = list(record(error.data)?.['elicitations']).slice(0, MAX_PAGES);
  return pages.flatMap((each) => {
    const page = elicitationOf(record(each) ?? {});
    return page.mode === 'url' ? [page] : [];
  });
}
