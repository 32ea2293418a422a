import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('docs/architecture.md names files and folders that exist', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const named = [...text.matchAll(/`((?:src|webview|test|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
