import { assertNever } from '../../src/protocol/assert-never.js';
import type { TranscriptMessage } from '../../src/protocol/host/transcript-messages.js';
import type { PanelMessage } from '../../src/protocol/messages.js';
import { FileLinks } from './file-links.js';
import type { MarkPorts } from './found-marks.js';
import { FoundMarks } from './found-marks.js';
import { Images } from './images.js';
import { Search } from './search.svelte.js';

/** How long a message says that it was copied, in milliseconds. */
const COPIED_MS = 1_500;

/** What the messages of a transcript share: links to files, pictures, the search, and what was copied last. */
export class TranscriptParts {
  readonly files: FileLinks;
  readonly images: Images;
  readonly search: Search;
  /** Id of the item that was just copied; empty otherwise. */
  copied = $state('');
  private readonly session: () => string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param session the conversation that is shown. */
  constructor(post: (message: PanelMessage) => void, session: () => string, ports: MarkPorts) {
    this.files = new FileLinks(post);
    this.images = new Images(post);
    this.session = session;
    const marks = new FoundMarks(ports);
    this.search = new Search({ post, reveal: (place, query) => marks.reveal(place, query) });
  }

  /** Another conversation is shown. */
  clear(): void {
    this.files.clear();
    this.images.clear();
    this.search.clear();
    this.copied = '';
  }

  /** Takes a message; an answer that is about another conversation is ignored. */
  take(message: TranscriptMessage): void {
    switch (message.type) {
      case 'files':
        return this.files.answer(message.asked, message.found);
      case 'copied':
        return this.setCopied(message.item);
      case 'image':
        if (message.session === this.session()) this.images.answer(message);
        return;
      case 'found':
        if (message.session === this.session()) this.search.answer(message);
        return;
      default:
        assertNever(message);
    }
  }

  private setCopied(item: string): void {
    this.copied = item;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.copied = ''), COPIED_MS);
  }
}
