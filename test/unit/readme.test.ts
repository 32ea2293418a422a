import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withCommands } from '../../scripts/readme-commands.mjs';

test('the README lists the commands of the manifest (npm run readme writes them)', async () => {
  const [readme = '', manifest = '', words = ''] = await Promise.all(['README.md', 'package.json', 'package.nls.json'].map((file) => readFile(file, 'utf8')));
  expect(readme).toBe(withCommands(readme, JSON.parse(manifest) as Parameters<typeof withCommands>[1], JSON.parse(words) as Record<string, string>));
});
