/** Something that ends what it began; a second call does nothing. */
export interface Disposable {
  dispose(): unknown;
}

/** Disposes of several things together. */
export function together(...parts: readonly Disposable[]): { dispose(): void } {
  return { dispose: () => parts.forEach((part) => part.dispose()) };
}
