/**
 * The processor time that some work takes, in milliseconds: what else the machine has to do does not count, other than in the time that passes.
 * @param work what does not wait for anything outside this process
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
