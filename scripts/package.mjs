// Builds the extension for release and packs it: dist/gnomon-<version>.vsix. With --tests, the suites for the extension
// host are built in the same go.
import { readFile, stat } from 'node:fs/promises';
import { createVSIX } from '@vscode/vsce';
import { run } from './run.mjs';

await run('node', ['esbuild.mjs', '--production', ...process.argv.slice(2)]);
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const packagePath = `dist/gnomon-${version}.vsix`;
await createVSIX({ packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
const { size } = await stat(packagePath);
console.log(`${packagePath}: ${size.toLocaleString('en')} bytes`);
