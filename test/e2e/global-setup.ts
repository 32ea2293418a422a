import { access } from 'node:fs/promises';
import { vsixPath } from './app.js';

/** The tests click through the packaged extension, so the package must be there. */
export async function setup(): Promise<void> {
  await access(await vsixPath()).catch((error: unknown) => {
    throw new Error('There is no package to test. Run `npm run package` first.', { cause: error });
  });
}
