import { stat } from 'node:fs/promises';

/** Files that are looked at together. */
const BATCH = 256;

/** The paths by time of last change, newest first, those of the same time by name. Files that are gone are left out. */
export async function newestFirst(paths: readonly string[]): Promise<readonly string[]> {
  const dated: { path: string; time: number }[] = [];
  for (let start = 0; start < paths.length; start += BATCH) {
    const batch = await Promise.all(paths.slice(start, start + BATCH).map(withTime));
    dated.push(...batch.flat());
  }
  return dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}

async function withTime(path: string): Promise<readonly { path: string; time: number }[]> {
  return stat(path).then(
    (stats) => [{ path, time: stats.mtimeMs }],
    () => [],
  );
}
