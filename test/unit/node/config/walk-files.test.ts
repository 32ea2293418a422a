import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type BaseFolder, folderIn } from '../../../../src/node/config/bases.js';
import { readWalked, walkFiles, type Wanted } from '../../../../src/node/config/walk-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';
import { quickFolder } from '../../../support/temporary-folder.js';

const { signal } = new AbortController();
const MARKDOWN: Wanted = { name: (name) => name.endsWith('.md') };
let root: string;

beforeEach(() => {
  root = quickFolder();
  mkdirSync(join(root, 'place'));
});

function write(path: string, text = path): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

function place(): BaseFolder {
  return folderIn(
    {
      path: root,
      prefix: '',
      origin: { layer: 'project', folder: root },
      reach: { within: () => Promise.resolve([root]), mayShow: NAMED_SECRETS.ofRepository },
    },
    'place',
  );
}

async function walked(wanted = MARKDOWN): Promise<readonly string[]> {
  const { files, problems } = await walkFiles(place(), wanted, signal);
  return [
    ...files.map(({ parts, refusal = '' }) => `${parts.join('/')}${refusal === '' ? '' : ' refused'}`),
    ...problems.map(({ parts, message }) => `${parts.join('/')}: ${message}`),
  ];
}

describe('files below a folder', () => {
  it('are found through links within, each by the path without links', async () => {
    const real = write('elsewhere/sub/a.md');
    symlinkSync(join(root, 'elsewhere'), join(root, 'place', 'all'));
    symlinkSync(real, join(root, 'place', 'one.md'));
    const { files } = await walkFiles(place(), MARKDOWN, signal);
    expect(files.map(({ parts, real: path }) => [parts.join('/'), path])).toEqual([
      ['all/sub/a.md', real],
      ['one.md', real],
    ]);
  });

  it.each([
    ['to itself', () => symlinkSync('again', join(root, 'place', 'again'))],
    ['to the folder that it is in', () => symlinkSync('.', join(root, 'place', 'again'))],
    ['to a folder above', () => symlinkSync(root, join(root, 'place', 'again'))],
    [
      'to each other',
      () => {
        mkdirSync(join(root, 'x'));
        mkdirSync(join(root, 'y'));
        symlinkSync(join(root, 'y'), join(root, 'x', 'y'));
        symlinkSync(join(root, 'x'), join(root, 'y', 'x'));
        symlinkSync(join(root, 'x'), join(root, 'place', 'again'));
      },
    ],
  ])('end with links %s', async (_kind, link) => {
    write('place/a.md');
    link();
    expect((await walked()).filter((each) => !each.startsWith('a.md'))).toEqual([]);
  });

  it('of one thing are that with the file of it, and nothing below', async () => {
    write('place/SKILL.md');
    write('place/x/SKILL.md');
    write('place/x/examples/y/SKILL.md');
    write('place/group/z/SKILL.md');
    expect(await walked({ name: (name) => name === 'SKILL.md', whole: true })).toEqual(['group/z/SKILL.md', 'x/SKILL.md']);
  });

  it('are told where a limit cuts: of folders, of their depth', async () => {
    for (let index = 0; index < 2_001; index += 1) mkdirSync(join(root, 'place', `d${index}`));
    write('place/d0/1/2/3/4/5/deep.md');
    expect(await walked()).toEqual([': More than 2,000 folders are in it. The others are not looked into.']);
    rmSync(join(root, 'place'), { recursive: true });
    write('place/1/2/3/4/5/ok.md');
    write('place/1/2/3/4/5/6/deep.md');
    expect(await walked()).toEqual(['1/2/3/4/5/ok.md', ': Folders below more than 5 others in it are not looked into.']);
  });

  it.each(['the file', 'its folder'])('are not read when a link is put in the place of %s after they were found', async (what) => {
    write('place/sub/a.md');
    const secret = write('secrets/a.md', 'canary');
    const { files } = await walkFiles(place(), MARKDOWN, signal);
    const victim = what === 'the file' ? join(root, 'place', 'sub', 'a.md') : join(root, 'place', 'sub');
    renameSync(victim, `${victim}.old`);
    symlinkSync(what === 'the file' ? secret : dirname(secret), victim);
    const read = await Promise.all(files.map((file) => readWalked(file, 1_000, signal)));
    expect(JSON.stringify(read)).not.toContain('canary');
    expect(read).toEqual([{ problem: expect.stringMatching(/^It (?:is not a regular file|was replaced by something else)/) as string }]);
  });
});

describe('what reads files of a repository', () => {
  /** What gives the content of a file, and who may use it: all others go through the one reader. */
  const READING = /\b(?:readFile|readFileSync|createReadStream|open|openSync|readBytes|readRegularFile|readFileOrHead|withFile)\b/;
  const ALLOWED: Readonly<Record<string, string>> = {
    'src/node/config/rewrite-file.ts': 'changes files of settings, by a path that was judged',
    'src/node/config/tracked-files.ts': 'reads .git where that is a file',
    'src/node/instructions/read.ts': 'reads the beginning of instructions, by a path that reading.ts has judged',
  };

  it('is the one reader, but where it is said why', () => {
    const files = [
      'src/node/config',
      'src/node/instructions',
      'src/customization',
      'src/vscode/agent',
      'src/vscode/skill',
      'src/vscode/output-style',
      'src/config',
    ]
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`))
      .filter((path) => path.endsWith('.ts'));
    const imports = (path: string): readonly string[] => readFileSync(path, 'utf8').match(/^import [^;]*?;/gms) ?? [];
    const reading = [...files, 'src/node/mcp/config-files.ts'].filter((path) =>
      imports(path).some((line) => /node:fs|\/files\//.test(line) && READING.test(line)),
    );
    expect(reading.sort()).toEqual(Object.keys(ALLOWED).sort());
  });
});
