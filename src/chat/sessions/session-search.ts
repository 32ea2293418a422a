import { present } from '../../domain/present.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { SessionHit, SessionLibrary } from '../../domain/session/session-library.js';
import type { SearchHit } from '../../protocol/host/session-messages.js';
import type { HostMessage } from '../../protocol/messages.js';

/** Maximum number of hits; with more, the user has to refine the search. */
const MAX_HITS = 200;
/** Milliseconds in which what is found goes to the page together. */
const BATCH_MS = 100;
/** Characters of an excerpt that a page gets. */
const MAX_EXCERPT = 300;

/** Looks for texts in conversations, one at a time, and tells what is found as it comes. */
export class SessionSearch {
  private running: AbortController | undefined;

  constructor(
    private readonly library: Pick<SessionLibrary, 'search'>,
    private readonly post: (message: HostMessage) => void,
  ) {}

  /** Ends the search that runs and starts another; an empty text only ends. Resolves when it has ended; does not reject. */
  async start(query: string): Promise<void> {
    this.stop();
    if (query.trim() === '') return;
    const controller = new AbortController();
    this.running = controller;
    try {
      await this.run(query, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.post({ type: 'session_problem', text: t('The search did not finish: {0}', errorMessage(error)) });
      this.post({ type: 'search_hits', query, hits: [], done: true });
    }
  }

  /** Ends the search that runs. */
  stop(): void {
    this.running?.abort();
    this.running = undefined;
  }

  private async run(query: string, signal: AbortSignal): Promise<void> {
    let waiting: SearchHit[] = [];
    let found = 0;
    let posted = 0;
    const send = (done: boolean): void => {
      if (signal.aborted) return;
      this.post({ type: 'search_hits', query, hits: waiting, done });
      waiting = [];
      posted = performance.now();
    };
    for await (const hit of this.library.search(query, signal)) {
      if (signal.aborted) return;
      waiting.push(hitOf(hit));
      found += 1;
      if (found >= MAX_HITS) break;
      if (performance.now() - posted >= BATCH_MS) send(false);
    }
    send(true);
  }
}

function hitOf({ id, title, updatedAt, index, excerpt }: SessionHit): SearchHit {
  return { id, title, updatedAt, excerpt: excerpt.slice(0, MAX_EXCERPT), ...present({ index }) };
}
