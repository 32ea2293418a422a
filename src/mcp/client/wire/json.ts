/** An object of JSON, none of whose values is known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value if it is an object. */
export function record(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

/** The value if it is a list; an empty one otherwise. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a number that JSON can have. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Whether a value is nested at most so deep. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1));
}

/** The start of the JSON text of a value, made without making the rest: what is huge costs no more than what is kept. */
export function jsonStart(value: unknown, limit: number): string {
  const writer = new StartWriter(limit);
  writer.write(value, 0);
  return writer.text.slice(0, limit);
}

/** Deeper than this, only a mark is written. */
const MAX_DEPTH = 64;

class StartWriter {
  text = '';

  constructor(private readonly limit: number) {}

  write(value: unknown, depth: number): void {
    if (this.full) return;
    if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, this.limit - this.text.length));
    else if (typeof value !== 'object' || value === null) this.text += JSON.stringify(value);
    else if (depth >= MAX_DEPTH) this.text += '…';
    else if (Array.isArray(value)) this.writeAll('[', value, ']', (item) => this.write(item, depth + 1));
    else
      this.writeAll(
        '{',
        Object.entries(value).filter(([, each]) => each !== undefined),
        '}',
        ([key, each]) => {
          this.text += `${JSON.stringify(key)}:`;
          this.write(each, depth + 1);
        },
      );
  }

  private get full(): boolean {
    return this.text.length >= this.limit;
  }

  private writeAll<Item>(open: string, items: readonly Item[], close: string, write: (item: Item) => void): void {
    this.text += open;
    for (const [index, item] of items.entries()) {
      if (this.full) return;
      if (index > 0) this.text += ',';
      write(item);
    }
    this.text += close;
  }
}
