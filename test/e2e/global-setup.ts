import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from '../vscode/chromium.mjs';
import { installExtension } from '../vscode/extension-install.mjs';
import { ensureVsCode } from '../vscode/install.mjs';
import { startVsCode } from '../vscode/server.mjs';
import { MODEL_ENV, vsixPath } from './app.js';
import { type SharedServer, shareRun } from './shared-run.js';

/** Installs the package, and starts the VS Code servers that the test files share. The browser is installed before two workers want it. */
export async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const path = await vsixPath();
  await access(path).catch((error: unknown) => {
    throw new Error('There is no package to test. Run `npm run package` first.', { cause: error });
  });
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-e2e-run-'));
  const extensionsDir = join(folder, 'extensions');
  await installExtension({ kind: 'vsix', path }, { vscode: await ensureVsCode(), dataDir: join(folder, 'install'), extensionsDir });
  await ensureChromium();
  const start = (worker: number): ReturnType<typeof startVsCode> =>
    startVsCode({ dataDir: join(folder, `server-${worker}`), extension: 'installed', extensionsDir, builtin: 'used', env: MODEL_ENV });
  const servers = await Promise.all(Array.from({ length: config.maxWorkers }, (_, index) => start(index + 1)));
  const shared = servers.map(({ url, port, dataDir, process: { pid = 0 } }): SharedServer => ({ url, port, dataDir, pid }));
  shareRun({ extensionsDir, servers: shared });
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
