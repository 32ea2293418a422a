import { describe, expect, it } from 'vitest';
import { decidingVariables, pathsToLookAt } from '../../../../src/mcp/consent/looked-at.js';
import { FOLDER, entryOf, values } from '../config/rig.js';

function paths(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): readonly string[] {
  return pathsToLookAt(entryOf({ command, args }), values({ environment }))?.paths ?? [];
}

describe('the files that a command line names', () => {
  it('M-31: are its arguments, and what follows the = of an option', () => {
    expect(paths('run', ['./server.js', '--import=./hook.mjs', '--config', 'a.json', 'plain'])).toEqual(
      expect.arrayContaining(['./server.js', './hook.mjs', 'a.json', 'plain']),
    );
  });

  it('M-31: are the command, if it is a path', () => {
    expect(paths('./run.sh', [])).toContain('./run.sh');
    expect(paths('bin\\run.cmd', [])).toContain('bin\\run.cmd');
    expect(paths('run', [])).toEqual([]);
  });

  it.each([
    ['node', ['./server'], ['./server', './server.js', './server/package.json', './server/index.js']],
    ['C:\\node\\node.exe', ['./server'], ['./server.js']],
    ['/usr/bin/env', ['node', './server'], ['./server.js']],
    ['python3', ['app'], ['app/__main__.py']],
    ['python', ['-m', 'my.server'], ['my/server.py', 'my/server/__main__.py']],
    ['uv', ['run', 'python', '-m', 'my.server'], ['my/server.py', 'pyproject.toml']],
    ['npm', ['run', 'mcp'], ['package.json']],
    ['cmd', ['/c', 'npm.cmd', 'run', 'mcp'], ['package.json']],
    ['make', ['mcp'], ['Makefile']],
    ['docker', ['compose', 'up'], ['compose.yaml']],
    ['sh', ['-c', "cd sub;exec node './server.js' >x && npm start"], ['./server.js', 'package.json']],
  ])('M-31: are what programs find for less than a name: %s %j', (command, args, expected) => {
    expect(paths(command, args)).toEqual(expect.arrayContaining(expected));
  });

  it('are not made up of what is no module', () => {
    expect(paths('python', ['-m', '../evil'])).not.toContain('../evil.py');
    expect(paths('python', ['-m']).some((path) => path.endsWith('__init__.py'))).toBe(false);
  });

  it('are not endless', () => {
    expect(paths('sh', ['-c', 'a.js '.repeat(5_000)]).length).toBeLessThan(100);
    expect(paths('sh', ['-c', Array.from({ length: 5_000 }, (_, index) => index).join(' ')]).length).toBeLessThan(5_000);
  });

  it('are not the data of a server, which it may write, unless that is what runs', () => {
    expect(paths('node', ['server.js', './memory.sqlite', '--log=./a.log'])).not.toContain('./memory.sqlite');
    expect(paths('node', ['server.js', '--log=./a.log'])).not.toContain('./a.log');
    expect(paths('sh', ['./really-a-script.db'])).toContain('./really-a-script.db');
  });

  it('M-31: are those that variables lead to; inputs are left out', () => {
    const found = paths('run', ['${DIR}/a.js', '${MISSING}/b.js', '${MISSING:-c.js}'], { DIR: '/d' });
    expect(found).toEqual(expect.arrayContaining(['/d/a.js', 'c.js']));
    expect(found.some((path) => path.includes('b.js'))).toBe(false);
    const entry = entryOf(
      { command: '${workspaceFolder}/run', args: ['${input:key}', 'x'], cwd: '${userHome}', envFile: '${workspaceFolder}/.env' },
      { format: 'vscode', inputs: [{ type: 'promptString', id: 'key', description: 'a' }] },
    );
    const look = pathsToLookAt(entry, values());
    expect(look).toMatchObject({ cwd: '/home/me', envFile: `${FOLDER}/.env` });
    expect(look?.paths).toEqual(expect.arrayContaining([`${FOLDER}/run`, 'x']));
  });

  it('are none for a server that is no process', () => {
    expect(pathsToLookAt(entryOf({ url: 'https://a.example' }), values())).toBeUndefined();
  });
});

describe('the variables that decide what runs', () => {
  it('are those of the command line and of the address, and not of the environment or headers', () => {
    const environment = { A: '1', B: '2', HOME: '/h' };
    const entry = entryOf({ command: '${A}', args: ['${B}', '${A}', '${MISSING:-x}'], env: { K: '${KEY}' }, cwd: '${HOME}' });
    expect(decidingVariables(entry, values({ environment }))).toEqual([
      { name: 'A', value: '1', plain: false },
      { name: 'B', value: '2', plain: false },
      { name: 'HOME', value: '/h', plain: true },
      // Not its default, which is part of the entry.
      { name: 'MISSING', value: undefined, plain: false },
    ]);
    expect(decidingVariables(entryOf({ url: 'https://a.example/${B}', headers: { K: '${KEY}' } }), values({ environment })).map(({ name }) => name)).toEqual([
      'B',
    ]);
    expect(decidingVariables(entryOf({ type: 'sdk', name: '${A}' }), values({ environment }))).toEqual([]);
  });
});
