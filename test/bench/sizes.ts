import { stat } from 'node:fs/promises';
import { build } from 'esbuild';
import { eagerBytes } from '../../scripts/sizes.mjs';
import { vsixPath } from '../e2e/app.js';
import type { Figure } from './figure.js';

/** What a download weighs, and what the extension host loads when the extension is activated. */
export async function measureSizes(): Promise<readonly Figure[]> {
  const { size } = await stat(await vsixPath());
  return [
    { name: 'vsix_bytes', value: size, unit: 'bytes', goal: 2_097_152 },
    { name: 'activation_bytes', value: await activationBytes(), unit: 'bytes', goal: 60_000 },
  ];
}

/** The entry and everything it imports statically, minified, as the release build makes it. */
async function activationBytes(): Promise<number> {
  const { metafile } = await build({
    entryPoints: ['src/extension.ts'],
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    external: ['vscode'],
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return eagerBytes(metafile, 'dist/extension.js');
}
