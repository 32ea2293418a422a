import { describe, expect, it } from 'vitest';
import { HIDDEN, lineOf, NAMES, SEEN, SEEN_AND_TOLD } from '../../../support/hook-lines.js';
import { sampled } from '../../../support/runs.js';
import { BoundHook, beyondScripts, put } from './bound-rig.js';

const script = (says: string): string => `echo ${says} >> "$CLAUDE_PROJECT_DIR/ran"\n`;
describe('an approved hook', () => {
  it('H-41: asks again after a change of the script, in every way to name it that is seen through', async () => {
    const wrong: string[] = [];
    for (const [index, form] of [...SEEN, ...SEEN_AND_TOLD].entries()) {
      const name = NAMES[index % NAMES.length] ?? '';
      const line = lineOf(form, name);
      const { told, before, after } = await changed(line, { [`tools/${name}`]: script('old'), 'docs/a.md': 'a' }, { [`tools/${name}`]: script('new') });
      if (!before || after || (told.length > 0 && !SEEN_AND_TOLD.includes(form))) wrong.push(`${line}: ${before} ${after} ${told.join('; ')}`);
    }
    expect(wrong).toEqual([]);
  });

  it('H-41: asks again, or has said what it does not check, in every other way', async () => {
    const wrong: string[] = [];
    for (const [index, form] of HIDDEN.entries()) {
      const name = NAMES[index % NAMES.length] ?? '';
      const line = lineOf(form, name);
      const { told, before, after } = await changed(line, { [`tools/${name}`]: script('old'), 'docs/a.md': 'a' }, { [`tools/${name}`]: script('new') });
      if (!before || (after && told.length === 0)) wrong.push(`${line}: ${before} ${after}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is one that runs the script: in all of these ways, Bash does', () => {
    const silent = sampled([...SEEN, ...HIDDEN])
      .map((form) => lineOf(form, 'check.sh'))
      .filter((line) => !new BoundHook(line, { 'tools/check.sh': script('old'), 'docs/a.md': 'a' }).run().includes('old'));
    expect(silent).toEqual([]);
  });
});

const node = (says: string): string => `require('fs').appendFileSync(process.env.CLAUDE_PROJECT_DIR + '/ran', '${says}');`;
const python = (says: string): string => `import os\nopen(os.environ['CLAUDE_PROJECT_DIR'] + '/ran', 'a').write('${says}')\n`;
type Handler = ConstructorParameters<typeof BoundHook>[0];
const program = (command: string, args: readonly string[], more: Omit<Exclude<Handler, string>, 'type' | 'command' | 'args'> = {}): Handler => ({
  type: 'command',
  command,
  args,
  ...more,
});
const line = (command: string, env: Readonly<Record<string, string>>): Handler => ({ type: 'command', command, env });

/** Hooks, the file that changes, and what is in it. Those with `tells` are seen only where the user is told. */
const OTHERS: readonly {
  readonly name: string;
  readonly handler: Handler;
  readonly file: string;
  readonly of: (says: string) => string;
  readonly more?: Readonly<Record<string, string>>;
  readonly tells?: true;
}[] = [
  { name: 'a script of Node.js, whatever its name', handler: program('node', ['tools/x.csv']), file: 'tools/x.csv', of: node },
  { name: 'a folder of Node.js', handler: 'node tools', file: 'tools/index.js', of: node },
  { name: 'a name without an ending', handler: 'cd tools && node x', file: 'tools/x.js', of: node },
  { name: 'what is loaded before', handler: 'node -r ./tools/x.log tools/main.js', file: 'tools/x.log', of: node, more: { 'tools/main.js': '' } },
  {
    name: 'what is loaded before, as one word',
    handler: program('node', ['--require=./tools/x.js', 'main.js']),
    file: 'tools/x.js',
    of: node,
    more: { 'main.js': '' },
  },
  { name: 'a script of Python, whatever its name', handler: program('python3', ['-u', 'tools/x.lock']), file: 'tools/x.lock', of: python },
  { name: 'a folder of Python', handler: 'python3 tools', file: 'tools/__main__.py', of: python },
  { name: 'a module of Python in another folder', handler: 'cd tools && python3 -m x', file: 'tools/x.py', of: python },
  { name: 'a package of Python', handler: 'python3 -m tools.x', file: 'tools/x/__main__.py', of: python },
  { name: 'a folder to work in', handler: program('./check.sh', [], { cwd: 'tools' }), file: 'tools/check.sh', of: (says) => `#!/bin/sh\n${script(says)}` },
  { name: 'a variable of the entry in the line', handler: line('bash "$D/x.log"', { D: 'tools' }), file: 'tools/x.log', of: script },
  { name: 'NODE_OPTIONS', handler: line('node -p 1', { NODE_OPTIONS: '--require ./tools/x.log' }), file: 'tools/x.log', of: node },
  { name: 'NODE_OPTIONS in the line', handler: 'NODE_OPTIONS="--require ./tools/x.js" node -p 1', file: 'tools/x.js', of: node },
  { name: 'NODE_PATH', handler: line('node -e "require(\'x\')"', { NODE_PATH: './tools' }), file: 'tools/x.js', of: node },
  {
    name: 'PATH',
    handler: line('own-tool', { PATH: `./tools:${process.env['PATH'] ?? ''}` }),
    file: 'tools/own-tool',
    of: (says) => `#!/bin/sh\n${script(says)}`,
  },
  { name: 'BASH_ENV', handler: line('true', { BASH_ENV: 'tools/x.db' }), file: 'tools/x.db', of: script },
  { name: 'PYTHONPATH', handler: line('python3 -c "import x"', { PYTHONPATH: 'tools' }), file: 'tools/x.py', of: python },
  { name: 'PYTHONSTARTUP', handler: line('echo | python3 -i', { PYTHONSTARTUP: 'tools/x.py' }), file: 'tools/x.py', of: python },
  {
    name: 'PERL5OPT',
    handler: line('perl -e 1', { PERL5OPT: '-Itools -Mx' }),
    file: 'tools/x.pm',
    of: (says) => `open(F, ">>", "$ENV{CLAUDE_PROJECT_DIR}/ran"); print F "${says}"; close(F); 1;`,
  },
  { name: 'code in an argument', handler: 'node -e "require(\'./tools/x.js\')"', file: 'tools/x.js', of: node, tells: true },
  { name: 'code in an argument of Python', handler: 'python3 -c "import tools.x"', file: 'tools/x.py', of: python, tells: true },
  {
    name: 'a file of make',
    handler: 'make -C tools -s',
    file: 'tools/Makefile',
    of: (says) => `all:\n\techo ${says} >> "$$CLAUDE_PROJECT_DIR/ran"\n`,
    tells: true,
  },
  {
    name: 'a file of make in another folder',
    handler: 'cd tools && make -s',
    file: 'tools/Makefile',
    of: (says) => `all:\n\techo ${says} >> "$$CLAUDE_PROJECT_DIR/ran"\n`,
    tells: true,
  },
  { name: 'an alias of Git', handler: 'git -c alias.x="!sh tools/x.sh" x', file: 'tools/x.sh', of: script, tells: true },
];
/** What a script loads in turn, by the script and what it loads. Those with `tells` are elsewhere, so that the user is told of them. */
const IN_TURN: typeof OTHERS = [
  {
    name: 'a script that reads another',
    handler: './tools/check.sh',
    file: 'tools/lib.sh',
    of: script,
    more: { 'tools/check.sh': '#!/bin/bash\n. "$(dirname "$0")/lib.sh"\n' },
  },
  {
    name: 'a script that starts another',
    handler: 'bash tools/check.sh',
    file: 'lib/run.sh',
    of: script,
    more: { 'tools/check.sh': 'bash lib/run.sh\n' },
    tells: true,
  },
  {
    name: 'a script that starts one below it',
    handler: 'cd tools && ./check.sh',
    file: 'tools/steps/run.bash',
    of: script,
    more: { 'tools/check.sh': '#!/bin/bash\nexec bash "${0%/*}/steps/run.bash"\n' },
  },
  {
    name: 'a script that reads one that reads another',
    handler: 'bash tools/check.sh',
    file: 'tools/b.sh',
    of: script,
    more: { 'tools/check.sh': '. tools/a.sh\n', 'tools/a.sh': '. ./tools/b.sh\n' },
  },
  { name: 'a module of Node.js', handler: 'cd tools && node main.js', file: 'tools/lib.js', of: node, more: { 'tools/main.js': 'require("./lib")' } },
  {
    name: 'a package of Python',
    handler: 'python3 tools/main.py',
    file: 'tools/lib/part.py',
    of: python,
    more: { 'tools/main.py': 'import json, os\nfrom lib import part\n', 'tools/lib/__init__.py': '' },
  },
  { name: 'a module of Python', handler: 'python3 tools/main.py', file: 'tools/lib.py', of: python, more: { 'tools/main.py': 'import lib' } },
  { name: 'a target of make', handler: 'make -s', file: 'tools/x.sh', of: script, more: { Makefile: 'all:\n\tsh tools/x.sh\n' }, tells: true },
];

describe('an approved hook whose program loads files', () => {
  it.each(OTHERS)('H-41: asks again after a change: $name', async ({ handler, file, of, more = {}, tells }) => {
    expect(new BoundHook(handler, { ...more, [file]: of('old') }).run()).toContain('old');
    const { told, before, after } = await changed(handler, { ...more, [file]: of('old') }, { [file]: of('new') });
    expect({ before, isNoticed: !after || (tells === true && told.length > 0) }).toEqual({ before: true, isNoticed: true });
  });

  it.each(IN_TURN)(
    'H-41: asks again when what it loads from its folder changes, and has said that there may be more: $name',
    async ({ handler, file, of, more = {}, tells }) => {
      const bound = new BoundHook(handler, { ...more, [file]: of('old') });
      expect(bound.run()).toContain('old');
      const told = await bound.approve();
      put(bound.folder, { [file]: of('new') });
      expect(told.some((sentence) => /^Not checked: .*(?:loads or runs (?:in turn|by itself))/.test(sentence))).toBe(true);
      expect(await bound.runs()).toBe(tells === true);
    },
  );

  it.each(['./tools/check.sh', 'cd tools && ./check.sh', 'bash "$CLAUDE_PROJECT_DIR/tools/check.sh"'])(
    'H-41: does not ask again when anything else changes: %s',
    async (line) => {
      const bound = new BoundHook(line, {
        'tools/check.sh': `${script('old')}. tools/lib.sh; cat tools/state.json; echo x >> tools/own.log\n`,
        'tools/lib.sh': 'true\n',
        'tools/state.json': '{}',
      });
      await bound.approve();
      for (const file of [
        'tools/other.sh',
        'tools/state.json',
        'tools/own.log',
        'tools/__pycache__/a.pyc',
        'src/check.sh',
        'lib.sh',
        'package.json',
        '.npmrc',
        'README.md',
      ]) {
        put(bound.folder, { [file]: 'changed' });
        expect([file, await bound.runs()]).toEqual([file, true]);
      }
      expect(bound.run()).toContain('old');
      expect(await bound.runs()).toBe(true);
    },
  );
});

/** What happens to a hook with a change, after one that has nothing to do with it. */
async function changed(
  line: ConstructorParameters<typeof BoundHook>[0],
  files: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>>,
): Promise<{ readonly told: readonly string[]; readonly before: boolean; readonly after: boolean }> {
  const bound = new BoundHook(line, files);
  const told = beyondScripts(await bound.approve());
  put(bound.folder, { 'src/other.ts': 'changed', 'notes.md': 'changed' });
  const before = await bound.runs();
  put(bound.folder, change);
  return { told, before, after: await bound.runs() };
}
