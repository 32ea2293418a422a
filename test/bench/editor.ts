import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runIntegration } from '../vscode/run-integration.mjs';
import { copySampleWorkspace } from '../vscode/sample-workspace.mjs';
import { run } from '../../scripts/run.mjs';
import { reply, startModelServer } from '../support/model-server/index.js';
import type { Figure } from './figure.js';

const KEY = 'sk-bench';

/** What edits in place and suggestions cost in the extension host of a real VS Code. The model is a server outside of it that answers at once. */
export async function measureEditor(): Promise<readonly Figure[]> {
  await run('node', ['esbuild.mjs', '--tests']);
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  const workspace = await copySampleWorkspace();
  const server = await startModelServer({ apiKey: KEY });
  try {
    server.setScript(() => reply().text('suggested();'));
    const figures = join(folder, 'figures.jsonl');
    const settings = {
      'gnomon.anthropic.baseUrl': server.url,
      'gnomon.completions.model': 'anthropic/claude-haiku-5-5',
      'editor.quickSuggestions': { other: 'off' },
    };
    const env = { ANTHROPIC_API_KEY: KEY, GNOMON_BENCH_FIGURES: figures };
    const { failures } = await runIntegration({
      extensionPath: resolve('.'),
      testsPath: resolve('dist-test/integration/bench.js'),
      workspace: workspace.folder,
      settings,
      env,
      print: console.error,
    });
    if (failures.length > 0) throw new Error(`${failures.length} measurements failed.`);
    if (server.requests.length === 0) throw new Error('No suggestion was asked for.');
    const lines = (await readFile(figures, 'utf8')).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Figure);
  } finally {
    await server.close();
    await workspace.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
