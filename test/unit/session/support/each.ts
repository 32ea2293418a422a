/** Tries the operations 1, 1 + step, … up to the last, several at a time: they mostly wait for the disk. */
export async function each(total: number, step: number, attempt: (at: number) => Promise<void>): Promise<void> {
  let next = 1;
  const worker = async (): Promise<void> => {
    while (next <= total) {
      const at = next;
      next += step;
      await attempt(at);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
