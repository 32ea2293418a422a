import { describe, expect, it } from 'vitest';
import { decidingVariables, pathsToLookAt } from '../../../../src/mcp/consent/looked-at.js';
import { FOLDER, entryOf, values } from '../config/rig.js';

function paths(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): readonly string[] {
  return pathsToLookAt(entryOf({ command, args }), values({ environment }))?.paths ?? [];
}

describe('the files that a command line names', () => {
  it('M-31: are its arguments, and what follows the = of an option', () => {
    expect(paths('run', ['./server.js', '--import=./hook.mjs', '--config', 'a.json', 'plain'])).toEqual(['./server.js', '--import=./hook.mjs', './hook.mjs', '--config', 'a.json', 'plain']);
  });

  it('M-31: are the command, if it is a path', () => {
    expect(paths('./run.sh', [])).toEqual(['./run.sh']);
    expect(paths('bin\\run.cmd', [])).toEqual(['bin\\run.cmd']);
    expect(paths('run', [])).toEqual([]);
  });

  it('M-31: are what Node.js and Python find for less than a name', () => {
    expect(paths('node', ['./server'])).toEqual(expect.arrayContaining(['./server', './server.js', './server/package.json', './server/index.js']));
    expect(paths('C:\\node\\node.exe', ['./server'])).toContain('./server.js');
    expect(paths('python3', ['app'])).toContain('app/__main__.py');
    expect(paths('python', ['-m', 'my.server'])).toEqual(expect.arrayContaining(['my/server.py', 'my/server/__main__.py']));
    expect(paths('python', ['-m', '../evil'])).not.toContain('../evil.py');
    expect(paths('python', ['-m'])).toEqual(['-m', '-m/__main__.py']);
  });

  it('M-31: are the files in which programs look up what a name means', () => {
    expect(paths('npm', ['run', 'mcp'])).toContain('package.json');
    expect(paths('uv', ['run', 'mcp'])).toContain('pyproject.toml');
    expect(paths('make', ['mcp'])).toContain('Makefile');
    expect(paths('docker', ['compose', 'up'])).toContain('compose.yaml');
  });

  it('are not the data of a server, which it may write, unless that is what runs', () => {
    expect(paths('node', ['server.js', './memory.sqlite', '--log=./a.log'])).not.toContain('./memory.sqlite');
    expect(paths('node', ['server.js', '--log=./a.log'])).not.toContain('./a.log');
    expect(paths('sh', ['./really-a-script.db'])).toContain('./really-a-script.db');
  });

  it('M-31: are those that variables lead to; inputs are left out', () => {
    expect(paths('run', ['${DIR}/a.js', '${MISSING}/b.js', '${MISSING:-c.js}'], { DIR: '/d' })).toEqual(['/d/a.js', 'c.js']);
    const entry = entryOf({ command: '${workspaceFolder}/run', args: ['${input:key}', 'x'], cwd: '${userHome}', envFile: '${workspaceFolder}/.env' }, { format: 'vscode', inputs: [{ type: 'promptString', id: 'key', description: 'a' }] });
    expect(pathsToLookAt(entry, values())).toEqual({ cwd: '/home/me', paths: [`${FOLDER}/run`, 'x'], envFile: `${FOLDER}/.env` });
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
    expect(decidingVariables(entryOf({ url: 'https://a.example/${B}', headers: { K: '${KEY}' } }), values({ environment })).map(({ name }) => name)).toEqual(['B']);
    expect(decidingVariables(entryOf({ type: 'sdk', name: '${A}' }), values({ environment }))).toEqual([]);
  });
});
