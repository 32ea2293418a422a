import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bring, write } from '../../../src/agent-host/worktrees/bring.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { changeSetOf } from '../../../src/worktree/change-set.js';
import { writeAt } from '../../support/temporary-folder.js';
import { going, made, type Rig, rigWith, shellIn } from '../worktree/rig.js';

/** Brings what a shell does in a worktree into the main checkout. @returns what is left there, with why */
async function brought(rig: Rig, script: string, user = ''): Promise<readonly string[]> {
  const worktree = await made(rig);
  shellIn(worktree.tree, script);
  if (user !== '') shellIn(rig.main.root, user);
  const documents = createDiskDocuments();
  const { changes, left } = await bring({ worktree, main: rig.main, documents }, going);
  for (const change of changes) expect(await write(change, documents, going)).toBeUndefined();
  return left.map(({ path, why }) => `${path} ${why}`);
}

/** Files of the main checkout, each byte as a character; none where it is not there. */
function bytesIn({ main }: Rig, ...names: readonly string[]): readonly (string | undefined)[] {
  return names.map((name) => join(main.root, name)).map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : undefined));
}

/** Files whose contents could be taken for others: digits and lines of Git where a content is cut, blank lines, none at all. */
const SMALL = [
  ...["printf '1.2.3\\r\\n' > VERSION; printf 'v20\\r\\n' > .nvmrc; : > empty; printf '\\r\\n' > blank; printf '1\\r\\n 7\\r\\n' > digits"],
  ...["printf 'a\\r\\nb\\r\\n' > index.js; printf '\\r\\n%040d blob 3\\r\\nxyz\\r\\n' 0 > header; printf 'end- missing\\r\\n' > missing"],
].join('; ');
const NAMES = ['VERSION', '.nvmrc', 'empty', 'blank', 'digits', 'index.js', 'header', 'missing'];
const CONTENTS = ['1.2.3\r\n', 'v20\r\n', '', '\r\n', '1\r\n 7\r\n', 'a\r\nb\r\n', `\r\n${'0'.repeat(40)} blob 3\r\nxyz\r\n`, 'end- missing\r\n'];

test.each([
  ['core.autocrlf=true', 'git config core.autocrlf true'],
  ['eol=crlf', 'echo "* text eol=crlf" > .gitattributes'],
])('E-78: with %s, each file has its own content, and a line of the user is kept', async (_, convert) => {
  const rig = await rigWith(`${convert}; seq 1 9 > lines; seq 1 9 > own; seq 5 9 > gone; git add .; git commit -qm one; rm lines own gone; git checkout -q .`);
  expect(bytesIn(rig, 'own')).toEqual(['1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n']);
  const left = await brought(rig, `${SMALL}; sed -i "s/9/nine/" lines own; rm gone`, 'sed -i "s/^1/one/" own');
  expect(left).toEqual([]);
  expect(bytesIn(rig, ...NAMES)).toEqual(CONTENTS);
  expect(bytesIn(rig, 'lines', 'own', 'gone')).toEqual([
    '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\nnine\r\n',
    'one\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\nnine\r\n',
    undefined,
  ]);
});

test('E-78: files that Git stores in another encoding or without their ids come as a checkout has them; a link has its target as it is', async () => {
  const attributes = '"wide* working-tree-encoding=UTF-16LE-BOM eol=lf" "id* ident"';
  const rig = await rigWith(
    `printf '%s\\n' ${attributes} > .gitattributes; printf '\\377\\376a\\0\\n\\0' > wide; printf '$Id$\\none\\n' > id; git add .; git commit -qm one; rm id; git checkout -q id`,
  );
  expect(bytesIn(rig, 'id')[0]).toContain('$Id: ');
  expect(await brought(rig, "printf 'b\\0\\n\\0' >> wide; echo two >> id; echo plain > p")).toEqual([]);
  expect(bytesIn(rig, 'wide', 'p')).toEqual(['\xff\xfea\0\n\0b\0\n\0', 'plain\n']);
  expect(bytesIn(rig, 'id')[0]).toMatch(/^\$Id: [0-9a-f]{40} \$\none\ntwo\n$/);
  const worktree = await made(rig, undefined, 'links');
  shellIn(worktree.tree, "ln -s p wide-link; ln -s '$Id$' id-link");
  const { files } = await changeSetOf(worktree, rig.main, going);
  expect(files.map(({ now }) => now)).toMatchObject([{ target: '$Id$' }, { target: 'p' }]);
});

test('E-78: where a filter in the user’s settings fails, that file is left, and the others are as they should be', async () => {
  const rig = await rigWith('printf "%s\\n" "*.big filter=f" "*.bat eol=crlf" > .gitattributes; git add .; git commit -qm one');
  writeAt(join(rig.around, 'home', '.gitconfig'), '[filter "f"]\nsmudge = false\nclean = cat\nrequired = true\n');
  vi.stubEnv('HOME', join(rig.around, 'home'));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await brought(rig, 'echo pointer > x.big; printf "a\\r\\nb\\r\\n" > y.bat; echo z > z')).toEqual(['x.big filter']);
  expect(bytesIn(rig, 'x.big', 'y.bat', 'z')).toEqual([undefined, 'a\r\nb\r\n', 'z\n']);
});

test('E-78: contents that are too large for one answer of Git are read all the same', async () => {
  const rig = await rigWith();
  const worktree = await made(rig);
  shellIn(worktree.tree, 'for i in 1 2 3 4 5 6 7 8; do { echo $i; head -c 9000000 /dev/zero; } > $i; done');
  const { files } = await changeSetOf(worktree, rig.main, going);
  expect(files.map(({ path, now }) => [path, now.kind === 'file' && [now.bytes.length, String.fromCharCode(now.bytes[0] ?? 0)]])).toEqual(
    ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => [name, [9_000_002, name]]),
  );
});

test('E-78: new files come in their encoding, byte by byte, and what is no text stays', async () => {
  const rig = await rigWith();
  const files = [
    "printf '\\357\\273\\277using A;\\r\\n' > A.cs",
    "printf '\\377\\376a\\0\\n\\0' > little",
    "printf '\\376\\377\\0a\\0\\n' > big",
    "printf 'caf\\351\\n' > l1",
  ];
  expect(await brought(rig, `${files.join('; ')}; printf 'a\\0b' > bin`)).toEqual(['bin not_text']);
  expect(bytesIn(rig, 'A.cs', 'little', 'big', 'l1')).toEqual(['\xef\xbb\xbfusing A;\r\n', '\xff\xfea\0\n\0', '\xfe\xff\0a\0\n', 'caf\xe9\n']);
});
