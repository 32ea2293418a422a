/** Parts that are joined at once. */
const BATCH = 1_000;

/** Puts a text together from many parts, joined in batches, so that there is not everything to do at the end. */
export class TextParts {
  private readonly joined: string[] = [];
  private recent: string[] = [];

  add(...parts: readonly string[]): void {
    this.recent.push(...parts);
    if (this.recent.length < BATCH) return;
    this.joined.push(this.recent.join(''));
    this.recent = [];
  }

  text(): string {
    return [...this.joined, ...this.recent].join('');
  }
}
