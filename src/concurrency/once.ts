/** Does something the first time alone, however often it is asked for; a failure stays one, too. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
