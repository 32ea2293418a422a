import { expect, test } from 'vitest';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { SECRET_FILES } from '../../../../src/permission/files/special-files.js';
import { isSecretName } from '../../../../src/permission/files/stored-look.js';
import { Random } from '../../../support/option-fuzz/random.js';
import { processorMs } from '../../../support/processor-time.js';

test('a stored file is secret by its name exactly where one on disk is', () => {
  const random = new Random(7);
  const names = SECRET_FILES.flatMap(({ folders = [], places = [], files = [] }) => [...folders, ...places, ...files]);
  const ends = ['', '.ts', '.md', '.js', '.txt', '/a.ts', '/index.js', '.py', '/README.md', '.', '~', '.TS', '.png'];
  const starts = ['', 'src/', 'a.b/', '.x/', 'Library/', 'deep/er/', 'x', '-', '_'];
  const wrong: string[] = [];
  let secret = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const name = random.of(names).replaceAll('*', () => random.of(['', 'x', '.a', '-b']));
    const path = `${random.of(starts)}${random.chance(0.2) ? name.toUpperCase() : name}${random.of(ends)}`;
    if (isSecret(path) !== isSecretName(path)) wrong.push(path);
    secret += isSecret(path) ? 1 : 0;
  }
  expect(wrong).toEqual([]);
  expect(secret).toBeGreaterThan(3_000);
});

test('very many names are looked at in no time', async () => {
  const paths = Array.from({ length: 50_000 }, (_, index) => `src/some/folder-${index % 300}/a-file-name-${index}.test.ts`);
  expect(await processorMs(() => expect(paths.some(isSecretName)).toBe(false))).toBeLessThan(1_000);
});
