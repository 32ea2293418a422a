import type { Host } from '../connection/host.js';

/** Milliseconds that the view may rest before its place is stored. */
const STORE_DELAY_MS = 300;

/** Where the user reads: how far the top of an item is below the top of the view, in pixels. */
export interface ReadingPlace {
  readonly session: string;
  readonly item: string;
  readonly offset: number;
}

/** Stores where the user reads, so that a page that is made anew goes back there. */
export class PlaceKeeper {
  private last: ReadingPlace | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {
    this.last = placeIn(host.getState());
  }

  /** The place stored for a conversation, when it was not its end. */
  stored(session: string): ReadingPlace | undefined {
    return this.last?.session === session ? this.last : undefined;
  }

  /** Takes note of a place; `undefined` at the end of the conversation. */
  keep(session: string, place: Omit<ReadingPlace, 'session'> | undefined): void {
    if (place === undefined && this.last === undefined) return;
    this.last = place === undefined ? undefined : { session, ...place };
    this.timer ??= setTimeout(() => this.store(), STORE_DELAY_MS);
  }

  private store(): void {
    this.timer = undefined;
    this.host.setState({ reading: this.last ?? null });
  }
}

/** The place in what was stored. It is not trusted. */
function placeIn(stored: unknown): ReadingPlace | undefined {
  if (typeof stored !== 'object' || stored === null || !('reading' in stored)) return undefined;
  const { reading } = stored;
  if (typeof reading !== 'object' || reading === null || !('session' in reading) || !('item' in reading) || !('offset' in reading)) return undefined;
  const { session, item, offset } = reading;
  const isPlace = typeof session === 'string' && typeof item === 'string' && typeof offset === 'number' && Number.isFinite(offset);
  return isPlace ? { session, item, offset } : undefined;
}
