import { describe, expect, test } from 'vitest';
import { rig, textOf } from './rig.js';

const OLD = 'import a from "a";\nconst one = 1;\nconst two = 2;\n';
/** More lines than there were. */
const longer = (line: string): string => `const zero = 0;\n${line}\n${'const more = 1;\n'.repeat(20)}`;

describe('a call that would write such a line', () => {
  const line = '// ... existing code ...';
  const OF: Readonly<Record<string, readonly [tool: string, args: object]>> = {
    write: ['write', { file_path: 'a.ts', content: longer(line) }],
    'write, shorter': ['write', { file_path: 'a.ts', content: `${line}\n` }],
    edit: ['edit', { file_path: 'a.ts', old_string: 'const one = 1;', new_string: `const one = 2;\n${line}` }],
    'edit of several places': [
      'edit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: '= 2;', new_string: '= 3;' },
          { old_string: 'const one', new_string: `  ${line}\nconst one` },
        ],
      },
    ],
    'edit of all places': ['edit', { file_path: 'a.ts', old_string: 'const', new_string: `${line}\nlet`, replace_all: true }],
    'a SEARCH/REPLACE block': ['edit', { file_path: 'a.ts', diff: `<<<<<<< SEARCH\nconst one = 1;\n=======\n${line}\n>>>>>>> REPLACE` }],
    apply_patch: ['apply_patch', { patch: `*** Begin Patch\n*** Update File: a.ts\n@@\n-const one = 1;\n+${line}\n+const one = 2;\n*** End Patch` }],
    'apply_patch, only added lines': ['apply_patch', { patch: `*** Update File: a.ts\n+${line}` }],
  };

  test.each(Object.entries(OF))('%s is refused, and changes nothing', async (_name, [tool, args]) => {
    const { call, documents } = rig({ files: { '/ws/a.ts': OLD } });
    await call('read', { file_path: 'a.ts' });
    const told = await call(tool, args).then(textOf, String);
    expect(told).toMatch(/stands for text left out.*nothing was (?:written|changed)/);
    expect(documents.text('/ws/a.ts')).toBe(OLD);
  });

  test.each(Object.entries(OF).filter(([name]) => name !== 'edit of all places'))('%s works where the file has the line', async (_name, [tool, args]) => {
    const { call, documents } = rig({ files: { '/ws/a.ts': `${OLD}${line}\n` } });
    await call('read', { file_path: 'a.ts' });
    expect(textOf(await call(tool, args))).toMatch(/^(?:Edited|Replaced) a\.ts/);
    expect(documents.text('/ws/a.ts')).toContain(line);
  });

  test('makes a new file all the same', async () => {
    const { call, documents } = rig();
    await call('write', { file_path: 'new.ts', content: `${line}\n` });
    expect(documents.text('/ws/new.ts')).toBe(`${line}\n`);
  });
});
