// Builds the extension for release and packs it: dist/gnomon-<version>.vsix. With --tests, the suites for the extension
// host are built in the same go.
import { readFile, stat } from 'node:fs/promises';
import { createVSIX } from '@vscode/vsce';
import { run } from './run.mjs';

/** Bytes of the package, with the program without a window: 3.5 MiB. */
const MOST_BYTES = 3_670_016;

await run('node', ['esbuild.mjs', '--production', ...process.argv.slice(2)]);
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const packagePath = `dist/gnomon-${version}.vsix`;
await createVSIX({ packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
const { size } = await stat(packagePath);
if (size > MOST_BYTES) throw new Error(`${packagePath} has ${size.toLocaleString('en')} bytes, which is more than ${MOST_BYTES.toLocaleString('en')}.`);
console.log(`${packagePath}: ${size.toLocaleString('en')} bytes`);
