import { expect, test } from 'vitest';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { SECRET_FILES } from '../../../../src/permission/files/special-files.js';

/** The ends that older copies of a file have. */
const COPIES = ['~', '.bak', '.BAK', '.bak2', '.old', '.orig', '.backup', '.save', '.swp', '-old', '_backup', '.dpkg-old', '.bak~', '.old.bak'];

test('path-15: an older copy of a secret file is secret as well', () => {
  const names = SECRET_FILES.flatMap(({ places = [], files = [], within }) => [...places, ...(within === undefined ? files : [])]).map((name) => name.replaceAll('*', 'x'));
  const copies = names.flatMap((name) => COPIES.flatMap((end) => [`${name}${end}`, `pkg/${name}${end}`]));
  expect(copies.length).toBeGreaterThan(4_000);
  expect(copies.filter((name) => !isSecret(name))).toEqual([]);
});

test('a copy of an ordinary file is an ordinary file', () => {
  const names = ['src/a.ts', 'README.md', 'package.json', 'tsconfig.json', 'data.json', 'environment.ts', 'keys.ts', '.env.example', 'id.pub', 'credentials.ts', 'src/credentials/index.ts', 'pip.config', 'old', 'bak', '~'];
  expect([...names, ...names.flatMap((name) => (name === '.env.example' ? [] : COPIES.map((end) => `${name}${end}`)))].filter((name) => isSecret(name))).toEqual([]);
});

test.each(['credentials', 'etc/pip.conf', 'NuGet.Config', '.wgetrc', '.vscode/sftp.json', 'app/.vscode/ftp-sync.json', '.ftpconfig', 'rclone.conf', '.databrickscfg'])('%s is secret: its program keeps passwords there', (name) => {
  expect(isSecret(name)).toBe(true);
});
