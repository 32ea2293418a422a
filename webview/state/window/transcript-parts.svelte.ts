import { SvelteSet } from 'svelte/reactivity';
import { assertNever } from '../../../src/protocol/assert-never.js';
import type { CodeColors } from '../../../src/protocol/code-kinds.js';
import type { TranscriptMessage } from '../../../src/protocol/host/transcript-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { Explanations } from '../transcript/explanations.svelte.js';
import { FileLinks } from '../transcript/file-links.js';
import { FoundMarks } from '../search/found-marks.js';
import { Images } from '../composer/images.js';
import { Search } from '../search/search.svelte.js';
import type { TranscriptWindow } from './transcript-window.svelte.js';

/** Milliseconds for which a message shows that it was copied. */
const COPIED_MS = 1_500;

/** What the page gives to the parts of a transcript: its session, its window of items, and the channel to the host. */
export interface PartsDeps {
  readonly post: (message: PanelMessage) => void;
  /** The conversation that is shown. */
  readonly session: () => string;
  readonly transcript: TranscriptWindow;
  /** Calls back once all that waits to be rendered is in the page. */
  readonly whenRendered: (done: () => void) => void;
  /** Reports a failure that the user need not know of. */
  readonly report: (error: unknown) => void;
}

/** Services that the messages of a transcript share: file links, images, the search, the last copy, and how models were chosen. */
export class TranscriptParts {
  readonly files: FileLinks;
  readonly images: Images;
  readonly search: Search;
  readonly explanations: Explanations;
  /** Ids of the calls whose proposals were on the screen in a diff editor. Reactive. */
  readonly shownProposals = new SvelteSet<string>();
  /** Id of the item that was just copied; empty otherwise. */
  copied = $state('');
  /** Id of the answer whose plan the user does not want to have carried out yet. */
  keptPlan = $state('');
  private readonly session: () => string;
  private readonly report: (error: unknown) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ post, session, transcript, whenRendered, report }: PartsDeps) {
    this.report = report;
    this.files = new FileLinks(post);
    this.images = new Images(post);
    this.explanations = new Explanations(post);
    this.session = session;
    const marks = new FoundMarks({
      markItem: (item) => transcript.mark.set(item),
      showPlace: (item, offset) => transcript.showPlace(item, offset),
      elementOf: (item) => elementOf(item, transcript),
      whenRendered,
    });
    this.search = new Search({ post, reveal: (place, query) => marks.reveal(place, query) });
  }

  /** Another conversation is shown. */
  clear(): void {
    this.files.clear();
    this.images.clear();
    this.search.clear();
    this.explanations.clear();
    this.shownProposals.clear();
    this.copied = '';
    this.keptPlan = '';
  }

  /** Takes a message; an answer that is about another conversation is ignored. */
  take(message: TranscriptMessage): void {
    switch (message.type) {
      case 'files':
        return this.files.answer(message.asked, message.found);
      case 'code_colors':
        return this.showColors(message.colors);
      case 'copied':
        return this.setCopied(message.item);
      case 'model_explained':
        return this.explanations.answer(message);
      case 'proposal_shown':
        if (message.session === this.session()) this.shownProposals.add(message.call);
        return;
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

  private showColors(colors: CodeColors): void {
    void import('../code-colors.js').then(({ showCodeColors }) => showCodeColors(colors), this.report);
  }

  private setCopied(item: string): void {
    this.copied = item;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.copied = ''), COPIED_MS);
  }
}

/** The element of an item, if it is in the page. */
function elementOf(item: string, { rows }: TranscriptWindow): Element | undefined {
  const row = rows.find((candidate) => candidate.kind === 'item' && candidate.item.id === item);
  return row?.kind === 'item' ? (document.querySelector(`.row[data-index="${row.index}"]`) ?? undefined) : undefined;
}
