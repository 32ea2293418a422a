import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDesktopCode } from '../../../scripts/desktop.mjs';
import { temporaryFolder } from '../../support/temporary-folder.js';

it('npm start opens desktop VS Code on the workspace with all of its extensions', async () => {
  const folder = temporaryFolder();
  const [code, noted] = [join(folder, 'code'), join(folder, 'noted')];
  await writeFile(code, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noted}'\n`);
  await chmod(code, 0o755);
  await openDesktopCode({ code, extensions: ['/gnomon', '/open-view'], workspace: '/work' });
  expect((await readFile(noted, 'utf8')).trimEnd().split('\n')).toEqual([
    '--extensionDevelopmentPath=/gnomon',
    '--extensionDevelopmentPath=/open-view',
    '--new-window',
    '--wait',
    '/work',
  ]);
});
