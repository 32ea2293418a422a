/** The conversations with restores that can be taken back, the one that was restored last at the end. */
export class RedoList {
  private readonly sessions = new Set<string>();
  private readonly tell: (any: boolean) => void;

  /** @param tell learns after each change whether there is anything. */
  constructor(tell: (any: boolean) => void) {
    this.tell = tell;
  }

  /** The conversation that was restored last. */
  get latest(): string | undefined {
    return [...this.sessions].at(-1);
  }

  /** Whether a conversation is known to have a restore that can be taken back. */
  has(sessionId: string): boolean {
    return this.sessions.has(sessionId);
  }

  /** A conversation was restored just now. */
  restored(sessionId: string): void {
    this.sessions.delete(sessionId);
    this.sessions.add(sessionId);
    this.tell(true);
  }

  /** A conversation was opened that has been restored before. */
  opened(sessionId: string): void {
    if (this.has(sessionId)) return;
    const later = [...this.sessions];
    this.sessions.clear();
    for (const id of [sessionId, ...later]) this.sessions.add(id);
    this.tell(true);
  }

  /** Nothing of a conversation can be taken back any more. */
  forget(sessionId: string): void {
    if (this.sessions.delete(sessionId)) this.tell(this.sessions.size > 0);
  }
}
