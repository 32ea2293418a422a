/** The beginning of an output, up to a number of bytes; the rest is only known to be there. */
export class Kept {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private cut = false;

  /** @param limit bytes that are kept */
  constructor(private readonly limit: number) {}

  add(chunk: Uint8Array): void {
    const room = this.limit - this.size;
    if (chunk.length > room) this.cut = true;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    this.chunks.push(part);
    this.size += part.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.cut;
  }
}
