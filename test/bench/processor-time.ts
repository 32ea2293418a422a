/**
 * Milliseconds of the processor that this process has used. The difference of two says what something costs, whatever
 * else the machine does meanwhile; a wait costs nothing.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
