import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { apiWindow } from './rig.js';

const text = await readFile('docs/extension-api.md', 'utf8');

test.each([
  ['json', 'package.json'],
  ['js', 'extension.js'],
])('the example in docs/extension-api.md is the extension that other tests load (%s)', async (language, file) => {
  const code = await readFile(`test/fixtures/api-extension/${file}`, 'utf8');
  expect(text).toContain(`\`\`\`${language}\n${code}\`\`\``);
});

test('docs/extension-api.md names the version that is offered, and every event', async () => {
  const { exports } = apiWindow();
  expect(text).toContain(`version ${exports.apiVersion} of that API`);
  const types = await readFile('src/api/gnomon-api.ts', 'utf8');
  const events = [...types.slice(types.indexOf('export type GnomonEvent'), types.indexOf('/** The life of a tool call')).matchAll(/type: '(\w+)'/g)].map(
    ([, type = '']) => type,
  );
  expect(events.length).toBeGreaterThan(7);
  expect(events.filter((type) => !text.includes(`\`${type}\``))).toEqual([]);
});

test('the file of types stands alone', async () => {
  expect(await readFile('src/api/gnomon-api.ts', 'utf8')).not.toMatch(/\bimport\b/);
});
