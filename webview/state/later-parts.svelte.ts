/** Components in a bundle of their own, which most chats never need: loaded when they are first shown. */
export class LaterParts<Parts extends object> {
  private known = $state.raw<Parts | undefined>();
  private loading: Promise<void> | undefined;

  constructor(private readonly load: () => Promise<Parts>) {}

  /** `undefined` until {@link want} has loaded them. Reactive. */
  get loaded(): Parts | undefined {
    return this.known;
  }

  /** Loads them, once. Rejects when their bundle cannot be loaded; the next attempt begins anew. */
  want(): Promise<void> {
    this.loading ??= this.load().then(
      (parts) => {
        this.known = parts;
      },
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }
}
