import { expect, test } from 'vitest';
import { isSecret } from '../../../../src/permission/files/sensitive-paths.js';
import { SECRET_FILES } from '../../../../src/permission/files/special-files.js';

/** The ends that older copies of a file have. */
const COPIES = ['~', '.bak', '.BAK', '.bak2', '.old', '.orig', '.backup', '.save', '.swp', '-old', '_backup', '.dpkg-old', '.bak~', '.old.bak'];

test('path-15: an older copy of a secret file is secret as well', () => {
  const names = SECRET_FILES.flatMap(({ places = [], files = [], within }) => [...places, ...(within === undefined ? files : [])]).map((name) =>
    name.replaceAll('*', 'x'),
  );
  const copies = names.flatMap((name) => COPIES.flatMap((end) => [`${name}${end}`, `pkg/${name}${end}`]));
  expect(copies.length).toBeGreaterThan(4_000);
  expect(copies.filter((name) => !isSecret(name))).toEqual([]);
});

test('a copy of an ordinary file is an ordinary file', () => {
  const names = [
    'src/a.ts',
    'README.md',
    'package.json',
    'tsconfig.json',
    'data.json',
    'environment.ts',
    'keys.ts',
    '.env.example',
    'id.pub',
    'credentials.ts',
    'src/credentials/index.ts',
    'pip.config',
    'old',
    'bak',
    '~',
  ];
  expect(
    [...names, ...names.flatMap((name) => (name === '.env.example' ? [] : COPIES.map((end) => `${name}${end}`)))].filter((name) => isSecret(name)),
  ).toEqual([]);
});

const WORDS = ['private_key', 'private-key', 'privatekey', 'secret_key', 'api_key', 'api-key', 'apikey', 'access_token', 'deploy_key', 'ssh_key'];
test('what is named after the one secret that it holds is secret, and code that is about it is not', () => {
  const holders = WORDS.flatMap((word) => [
    word,
    `.${word}`,
    `${word}.txt`,
    `${word}.json`,
    `my_${word}.txt`,
    `${word.toUpperCase()}.TXT`,
    `config/${word}s.txt`,
  ]);
  expect(holders.filter((name) => !isSecret(name))).toEqual([]);
  const code = WORDS.flatMap((word) => ['.ts', '.py', '.go', '.test.js', '.md', '.html', '.rb'].map((end) => `src/${word}${end}`));
  expect(
    [...code, 'tokens.json', 'src/token.ts', 'cookies.ts', 'docs/passwords.md', 'wg.conf', 'secret.ts', 'har.ts'].filter((name) => isSecret(name)),
  ).toEqual([]);
});

test.each([
  ...[
    '.idea/dataSources.xml',
    '.idea/dataSources.local.xml',
    'app/.idea/webServers.xml',
    'private_key.txt',
    'passwords.txt',
    'token.json',
    'a.keytab',
    'session.har',
    'cookies.txt',
    'x-firebase-adminsdk-1.json',
    'serviceAccountKey.json',
  ],
  ...[
    'http-client.private.env.json',
    'keystore.properties',
    'android/key.properties',
    '.vault_password',
    'logins.json',
    'wg0.conf',
    'WinSCP.ini',
    'ngrok.yml',
    '.htdigest',
    'wallet.dat',
    'login.keychain-db',
  ],
])('%s is secret: its program keeps passwords or keys there', (name) => {
  expect(isSecret(name)).toBe(true);
});

test.each([
  'credentials',
  'etc/pip.conf',
  'NuGet.Config',
  '.wgetrc',
  '.vscode/sftp.json',
  'app/.vscode/ftp-sync.json',
  '.ftpconfig',
  'rclone.conf',
  '.databrickscfg',
])('%s is secret: its program keeps passwords there', (name) => {
  expect(isSecret(name)).toBe(true);
});
