import { stat } from 'node:fs/promises';
import { vsixPath } from '../e2e/app.js';
import type { Figure } from './figure.js';

/** What a download weighs, with the program without a window, and what the extension host loads when the extension is activated. */
export async function measureSizes(): Promise<readonly Figure[]> {
  const [vsix, entry] = await Promise.all([stat(await vsixPath()), stat('dist/extension.cjs')]);
  return [
    { name: 'vsix_bytes', value: vsix.size, unit: 'bytes', goal: 3_670_016 },
    { name: 'activation_bytes', value: entry.size, unit: 'bytes', goal: 60_000 },
  ];
}
