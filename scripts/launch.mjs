/**
 * Builds Gnomon and opens it in VS Code: `npm start`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBubblewrap } from '../test/vscode/bubblewrap.mjs';
import { run } from '../test/vscode/command.mjs';
import { cacheFolder } from '../test/vscode/cache.mjs';
import { withHeartbeat } from '../test/vscode/log.mjs';
import { hasDesktop, hasDesktopCode, openDesktopCode } from './desktop.mjs';
import { EXTENSIONS, ROOT, USAGE, UsageError, readOptions } from './launch-options.mjs';
import { serve } from './launch-server.mjs';
import { sampleWorkspace } from './sample-workspace.mjs';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await launch(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** @param {import('./launch-options.mjs').LaunchOptions} options */
async function launch({ workspace: own, reset, browser, port }) {
  const folder = join(cacheFolder(), 'launch');
  await build(folder);
  await ensureBubblewrap({ log: console.log });
  const workspace = own ?? (await sampleWorkspace(join(folder, 'sample-workspace'), { reset }));
  if (!browser && hasDesktop() && hasDesktopCode()) return openInDesktop({ workspace });
  if (process.platform === 'linux') return serve({ ...EXTENSIONS, workspace, trusted: own === undefined, folder, port });
  if (browser || port !== undefined) throw new Error('The server runs on Linux only; leave out --browser and --port.');
  return openInDesktop({ workspace, code: await downloadedCode() });
}

/** @param {string} folder receives the log of the build */
async function build(folder) {
  await mkdir(folder, { recursive: true });
  const script = join(ROOT, 'esbuild.mjs');
  await withHeartbeat({ log: console.log, label: 'Building Gnomon' }, () =>
    run([process.execPath, script, '--production'], { logFile: join(folder, 'build.log'), cwd: ROOT }),
  );
}

/** @param {{ workspace: string, code?: string }} options */
async function openInDesktop(options) {
  console.log('Opening VS Code. Close its window to stop.');
  await openDesktopCode({ extensions: [EXTENSIONS.extension, ...EXTENSIONS.others], ...options });
}

/**
 * @returns {Promise<string>} the program of a desktop VS Code, downloaded the first time
 */
async function downloadedCode() {
  console.log('There is no command "code" here, so VS Code is downloaded into .vscode-test.');
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  return downloadAndUnzipVSCode({ cachePath: join(ROOT, '.vscode-test') });
}
