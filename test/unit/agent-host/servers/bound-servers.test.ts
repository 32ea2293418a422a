import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpStdioConfig } from '../../../../src/domain/mcp/config.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ApprovalsRig, entryIn } from './rig.js';

type Server = Partial<McpStdioConfig> & Pick<McpStdioConfig, 'command'>;
/** A server, and a file that is written after it was approved. */
interface Try {
  readonly server: Server;
  readonly file: string;
  /** What is in it, before (`old`) and after (`new`); without a text for before, it appears. */
  readonly of: (says: string) => string;
  readonly more?: Readonly<Record<string, string>>;
  readonly appears?: true;
  /** Whether it is run before, to see that it runs the file; else the program is one that may not be installed, or that loads packages. */
  readonly runs?: true;
  /** Whether only telling is asked for: nothing says what the program loads. */
  readonly tells?: true;
}

const node = (says: string): string => `require('fs').appendFileSync(process.env.HERE + '/ran', '${says}');`;
const shell = (says: string): string => `echo ${says} >> "$HERE/ran"\n`;
const python = (says: string): string => `import os\nopen(os.environ['HERE'] + '/ran', 'a').write('${says}')\n`;
const text = (says: string): string => `x=${says}\n`;

/** Ways to start a script. */
const FORMS: readonly (readonly [(path: string) => Server, 'seen' | 'told'])[] = [
  [(path) => ({ command: 'sh', args: [path] }), 'seen'],
  [(path) => ({ command: 'sh', args: ['-c', `sh ${path}`] }), 'seen'],
  [(path) => ({ command: 'sh', args: ['-c', `cd ${dirname(path)} && sh ${path.slice(dirname(path).length + 1)}`] }), 'seen'],
  [(path) => ({ command: 'bash', args: ['-lc', `cd ${dirname(path)}; exec sh ./${path.slice(dirname(path).length + 1)}`] }), 'seen'],
  [(path) => ({ command: 'bash', args: ['-c', `sh -c "cd ${dirname(path)} && sh ${path.slice(dirname(path).length + 1)}"`] }), 'seen'],
  [(path) => ({ command: 'env', args: ['A=b', 'sh', path] }), 'seen'],
  [(path) => ({ command: '/usr/bin/env', args: ['sh', path] }), 'seen'],
  [(path) => ({ command: 'nohup', args: ['sh', path] }), 'seen'],
  [(path) => ({ command: 'node', args: ['--enable-source-maps', path, '--log=x.log'] }), 'seen'],
  [(path) => ({ command: 'sh', args: [path.slice(dirname(path).length + 1)], cwd: dirname(path) }), 'seen'],
  [(path) => ({ command: 'node', args: ['-r', `./${path}`, 'main.js'] }), 'seen'],
  [(path) => ({ command: 'sh', args: ['-c', `sh "$D/${path.slice(dirname(path).length + 1)}"`], env: { D: dirname(path) } }), 'seen'],
  [(path) => ({ command: 'sh', args: ['-c', `D=${dirname(path)}; sh $D/${path.slice(dirname(path).length + 1)}`] }), 'told'],
  [(path) => ({ command: 'sh', args: ['-c', `sh ${dirname(path)}/*`] }), 'told'],
  [(path) => ({ command: 'sh', args: ['-c', `sh $(echo ${path})`] }), 'told'],
  [(path) => ({ command: 'sh', args: ['-c', `echo ${path} | xargs sh`] }), 'told'],
  [(path) => ({ command: 'sh', args: ['-c', `cat ${path} | sh`] }), 'told'],
  [(path) => ({ command: 'env', args: ['-C', dirname(path), 'sh', path.slice(dirname(path).length + 1)] }), 'told'],
  [(path) => ({ command: 'env', args: ['-S', `sh ${path}`] }), 'told'],
];
const PATHS = ['tools/s.js', 'tools/s.log', 'tools/s.db', 'tools/s.csv', 'tools/s.lock'];

const NAMED: Readonly<Record<string, Try>> = {
  NODE_OPTIONS: {
    server: { command: 'node', args: ['main.js'], env: { NODE_OPTIONS: '--require ./tools/x.log' } },
    file: 'tools/x.log',
    of: node,
    more: { 'main.js': '' },
    runs: true,
  },
  NODE_PATH: {
    server: { command: 'node', args: ['main.js'], env: { NODE_PATH: 'tools' } },
    file: 'tools/x.js',
    of: node,
    more: { 'main.js': 'require("x")' },
    runs: true,
  },
  PATH: {
    server: { command: 'sh', args: ['-c', 'own-tool'], env: { PATH: `./tools:${process.env['PATH'] ?? ''}` } },
    file: 'tools/own-tool',
    of: (says) => `#!/bin/sh\n${shell(says)}`,
    runs: true,
  },
  BASH_ENV: { server: { command: 'bash', args: ['-c', ':'], env: { BASH_ENV: './tools/x.db' } }, file: 'tools/x.db', of: shell, runs: true },
  ENV: { server: { command: 'sh', args: ['-i', '-c', ':'], env: { ENV: './tools/x.log' } }, file: 'tools/x.log', of: shell },
  PYTHONPATH: {
    server: { command: 'python3', args: ['main.py'], env: { PYTHONPATH: 'tools' } },
    file: 'tools/x.py',
    of: python,
    more: { 'main.py': 'import x' },
    runs: true,
  },
  PERL5LIB: {
    server: { command: 'perl', args: ['main.pl'], env: { PERL5LIB: 'tools' } },
    file: 'tools/x.pm',
    of: (says) => `open(F, ">>", "$ENV{HERE}/ran"); print F "${says}"; close(F); 1;`,
    more: { 'main.pl': 'use x;' },
    runs: true,
  },
  LD_PRELOAD: { server: { command: 'true', env: { LD_PRELOAD: './tools/x.so' } }, file: 'tools/x.so', of: text },
  'a file with variables': {
    server: { command: 'node', args: ['main.js'], envFile: 'my.env' },
    file: 'tools/x.js',
    of: node,
    more: { 'main.js': '', 'my.env': 'NODE_OPTIONS=--require ./tools/x.js\n' },
  },
  'a module of Python': { server: { command: 'python3', args: ['-m', 'tools.x'] }, file: 'tools/x/__main__.py', of: python, runs: true },
  'a search path of Perl': { server: { command: 'perl', args: ['-Itools', '-Mx', 'main.pl'] }, file: 'tools/x.pm', of: text, more: { 'main.pl': '' } },
  '.npmrc in front of npx': {
    server: { command: 'npx', args: ['-y', 'some-server@1.2.3'] },
    file: '.npmrc',
    of: () => 'registry=https://evil.example\n',
    appears: true,
  },
  '.npmrc in the folder to work in': {
    server: { command: 'npm', args: ['run', 'mcp'], cwd: 'tools' },
    file: 'tools/.npmrc',
    of: () => 'script-shell=./evil\n',
    appears: true,
    more: { 'tools/package.json': '{}' },
  },
  '.npmrc above the folder to work in': {
    server: { command: 'sh', args: ['-c', 'cd tools/sub && npm start'] },
    file: 'tools/.npmrc',
    of: () => 'script-shell=./evil\n',
    appears: true,
    more: { 'tools/sub/package.json': '{}' },
  },
  '.yarnrc.yml': { server: { command: 'yarn', args: ['mcp'] }, file: '.yarnrc.yml', of: () => 'yarnPath: ./evil.js\n', appears: true },
  'bunfig.toml': { server: { command: 'bun', args: ['run', 'server.ts'] }, file: 'bunfig.toml', of: () => 'preload = ["./evil.ts"]\n', appears: true },
  'uv.toml': { server: { command: 'uvx', args: ['some-server==1.2.3'] }, file: 'uv.toml', of: () => 'index-url = "https://evil.example"\n', appears: true },
  'pip.conf': { server: { command: 'pipx', args: ['run', 'some-server==1.2.3'] }, file: 'pip.conf', of: () => '[global]\n', appears: true },
  'a compose file that overrides': {
    server: { command: 'docker', args: ['compose', 'run', 'mcp'] },
    file: 'compose.override.yaml',
    of: () => 'services: {}\n',
    appears: true,
  },
  'a script of npm': {
    server: { command: 'npm', args: ['run', 'mcp'] },
    file: 'tools/x.js',
    of: node,
    more: { 'package.json': '{"scripts":{"mcp":"node tools/x.js"}}' },
    tells: true,
  },
  'a target of make': {
    server: { command: 'make', args: ['-s', 'mcp'] },
    file: 'tools/x.js',
    of: node,
    more: { Makefile: 'mcp:\n\tnode tools/x.js\n' },
    runs: true,
    tells: true,
  },
  'what a script loads': {
    server: { command: 'node', args: ['main.js'] },
    file: 'tools/x.js',
    of: node,
    more: { 'main.js': 'require("./tools/x.js")' },
    runs: true,
    tells: true,
  },
  'code in an argument': { server: { command: 'node', args: ['-e', 'require("./tools/x.js")'] }, file: 'tools/x.js', of: node, runs: true, tells: true },
};

describe('an approved server', () => {
  it('M-31: is asked for again after a change of its script, in every way to start it that is seen through, else the dialog has said that it is not checked', async () => {
    const wrong: string[] = [];
    for (const [index, [make, how]] of FORMS.entries()) {
      for (const path of [PATHS[0] ?? '', PATHS[1 + (index % (PATHS.length - 1))] ?? '']) {
        const server = make(path);
        const { told, before, after } = await tried({ server, file: path, of: text, more: { 'main.js': '' } });
        const others = told
          .flatMap((sentence) => /^Not checked: (.*)\. Gnomon/.exec(sentence)?.[1]?.split('; ') ?? [])
          .filter((part) => !part.endsWith('loads or runs in turn'));
        if (before !== 'may' || (after === 'may' && (how === 'seen' || others.length === 0)))
          wrong.push(`${JSON.stringify(server)}: ${before} ${after} ${told.join(' ')}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is one that runs its script: in all of these ways, it does', () => {
    const silent = FORMS.map(([make]) => make('tools/s.js')).filter(
      (server) => !ran({ server, file: 'tools/s.js', of: JSON.stringify(server).includes('"node"') ? node : shell, more: { 'main.js': '' } }).includes('old'),
    );
    expect(silent).toEqual([]);
  });

  it.each(Object.entries(NAMED))(
    'M-31: is asked for again when what decides what it loads changes or appears, or the dialog has said so: %s',
    async (_name, one) => {
      if (one.runs === true) expect(ran(one)).toContain('old');
      const { told, before, after } = await tried(one);
      expect({ before, isNoticed: after === 'changed' || (one.tells === true && told.some((sentence) => sentence.startsWith('Not checked: '))) }).toEqual({
        before: 'may',
        isNoticed: true,
      });
    },
  );

  it.each([
    ['npx', ['-y', 'some-server'], 'some-server'],
    ['npx', ['some-server@latest'], 'some-server@latest'],
    ['npx', ['-p', '@a/b@^1.0.0', 'x'], '@a/b@^1.0.0'],
    ['npx', ['--package=@a/b', 'x'], '@a/b'],
    ['npx', ['--unknown', 'some-server@1.2.3'], 'some-server@1.2.3'],
    ['npm', ['exec', '--', 'some-server'], 'some-server'],
    ['pnpm', ['dlx', 'some-server'], 'some-server'],
    ['bunx', ['some-server@next'], 'some-server@next'],
    ['uvx', ['some-server'], 'some-server'],
    ['uvx', ['--from', 'git+https://a.example/x', 'y'], 'git+https://a.example/x'],
    ['uv', ['tool', 'run', 'some-server>=1'], 'some-server>=1'],
    ['pipx', ['run', 'some-server'], 'some-server'],
    ['docker', ['run', '-i', '--rm', 'some/image'], 'some/image'],
    ['docker', ['run', '-i', 'some/image:latest'], 'some/image:latest'],
    ['sh', ['-c', 'cd tools && npx -y some-server'], 'some-server'],
  ])('M-31: without an exact version of what it downloads, that is said: %s %j', async (command, args, named) => {
    const { told } = await tried({ server: { command, args }, file: 'notes.md', of: text });
    expect(told.find((sentence) => sentence.startsWith('No exact version'))).toContain(`\`${named}\``);
  });

  it.each([
    ['npx', ['-y', 'some-server@1.2.3']],
    ['npx', ['-y', '@a/b@1.2.3-rc.1', '--port', '80']],
    ['uvx', ['some-server==1.2.3']],
    ['uvx', ['--from', 'a==1.0', 'b']],
    ['docker', ['run', '-i', '--rm', `some/image@sha256:${'a'.repeat(64)}`]],
    ['node', ['server.js']],
  ])('with an exact version, it is not: %s %j', async (command, args) => {
    const { told } = await tried({ server: { command, args }, file: 'notes.md', of: text });
    expect(told.filter((sentence) => sentence.startsWith('No exact version'))).toEqual([]);
  });

  it('M-31: has the values of variables in the search path of its programs in its fingerprint, and no others of `env`', async () => {
    const folder = temporaryFolder();
    const rig = new ApprovalsRig(folder);
    const entry = entryIn(folder, { type: 'stdio', command: 'node', args: ['-v'], env: { PATH: '${TOOLS}:/usr/bin', TOKEN: '${TOKEN:-none}' } });
    rig.environment['TOOLS'] = '/a';
    await rig.approve(entry);
    rig.environment['TOKEN'] = 'another';
    expect(await rig.verdict(entry)).toBe('may');
    rig.environment['TOOLS'] = '/b';
    expect(await rig.verdict(entry)).toBe('changed');
  });
});

async function tried({
  server,
  file,
  of,
  more = {},
  appears,
}: Try): Promise<{ readonly told: readonly string[]; readonly before: string; readonly after: string }> {
  const folder = temporaryFolder();
  put(folder, { ...more, 'docs/a.md': 'a', ...(appears === true ? {} : { [file]: of('old') }) });
  const rig = new ApprovalsRig(folder);
  const entry = entryIn(folder, { type: 'stdio', args: [], env: {}, ...server });
  const { notBound } = await rig.approvals.judge(entry);
  await rig.approve(entry);
  put(folder, { 'docs/a.md': 'b', 'other.ts': 'x' });
  const before = await rig.verdict(entry);
  put(folder, { [file]: of('new') });
  return { told: notBound, before, after: await rig.verdict(entry) };
}

/** Starts a server for real, and returns what its script has written. */
function ran({ server, file, of, more = {} }: Try): string {
  const folder = temporaryFolder();
  put(folder, { ...more, [file]: of('old') });
  const at = join(folder, 'ran');
  rmSync(at, { force: true });
  try {
    execFileSync(server.command, [...(server.args ?? [])], {
      cwd: join(folder, server.cwd ?? '.'),
      env: { PATH: process.env['PATH'] ?? '', ...server.env, HERE: folder },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 10_000,
    });
  } catch {
    // Whether it ran is asked for, and not how it ended.
  }
  return existsSync(at) ? readFileSync(at, 'utf8') : '';
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    chmodSync(join(folder, path), 0o755);
  }
}
