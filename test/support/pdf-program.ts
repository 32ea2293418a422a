import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The program that reads documents, built as the extension has it. Returns its path and how to remove it. */
export async function buildPdfProgram(): Promise<{ readonly program: string; readonly remove: () => Promise<void> }> {
  const outdir = await mkdtemp(join(tmpdir(), 'gnomon-pdf-'));
  await build({
    entryPoints: ['src/node/pdf/pdf-process.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  return { program: join(outdir, 'pdf-process.mjs'), remove: () => rm(outdir, { recursive: true }) };
}
