import type { PartBatch } from './part-stream.js';

/** What yields the parts of one answer. */
export type Parts = AsyncIterator<PartBatch, undefined>;

/** The parts of an iterator that is made with the first pull, so that what makes it is loaded no earlier. */
export function lazyParts(make: () => Promise<Parts>): AsyncIterable<PartBatch, undefined> {
  let made: Parts | undefined;
  const first = async (): Promise<IteratorResult<PartBatch, undefined>> => {
    made = await make();
    return made.next();
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => made?.next() ?? first(),
      return: () => made?.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    }),
  };
}
