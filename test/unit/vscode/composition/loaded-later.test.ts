import { type Metafile, build } from 'esbuild';
import { expect, test } from 'vitest';

const CLIENT = '@modelcontextprotocol/client';

/** What is in the modules that loading one of them loads: their names, those of packages too. */
function loadedWith(entry: string, { inputs }: Metafile): ReadonlySet<string> {
  const seen = new Set([entry]);
  for (const path of seen) {
    for (const { kind, path: imported } of inputs[path]?.imports ?? []) if (kind === 'import-statement') seen.add(imported);
  }
  return seen;
}

test('M-42: neither the activation nor the first chat loads the client of MCP servers', async () => {
  // What is imported for its types alone is not there any more.
  const { metafile } = await build({
    entryPoints: ['src/extension.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['vscode'],
    metafile: true,
    write: false,
    outdir: 'dist',
    logLevel: 'silent',
  });
  const activation = loadedWith('src/extension.ts', metafile);
  const chat = loadedWith('src/vscode/composition/compose.ts', metafile);
  expect([activation.has('src/vscode/composition/compose.ts'), chat.has('src/mcp/client/connector.ts')]).toEqual([false, true]);
  for (const loaded of [activation, chat]) expect([...loaded].filter((path) => path.startsWith(CLIENT))).toEqual([]);
  // The client is there: with the first connection, and with the first sign-in.
  const later = Object.entries(metafile.inputs).flatMap(([path, { imports }]) => (imports.some((each) => each.path.startsWith(CLIENT)) ? [path] : []));
  expect(later.length).toBeGreaterThan(0);
  for (const path of later) expect(path).toMatch(/^src\/mcp\/(?:client|auth)\//);
});
