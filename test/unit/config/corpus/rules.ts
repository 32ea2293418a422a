import { crlf, type Group, md } from './corpus-case.js';

const LISTED = 'A rule that is not loaded. Read the file where the task needs it.';
const always = { always: ['Do it.'] };
/** With the file of the first name, and not with the other. */
const only = (fits: string, fitsNot: string): Group['rows'][number][2] => ({ always: [], with: { [fits]: ['Do it.'], [fitsNot]: [] } });

export const RULES: readonly Group[] = [
  {
    program: 'Claude Code', kind: 'rule', source: 'code.claude.com/docs/en/memory', path: '.claude/rules/style.md',
    rows: [
      ['CLAUDE.md', 'Do it.\n', always, 'CLAUDE.md'],
      ['.claude/CLAUDE.md', 'Do it.\n', always, '.claude/CLAUDE.md'],
      ['CLAUDE.local.md', 'Do it.\n', always, 'CLAUDE.local.md'],
      ['CLAUDE.md of the user', 'Do it.\n', always, '~/.claude/CLAUDE.md'],
      ['a rule without front matter', 'Do it.\n', always],
      ['a rule in a folder', 'Do it.\n', always, '.claude/rules/web/style.md'],
      ['paths as a list of lines', md('paths:\n  - "src/**/*.ts"'), only('src/a/b.ts', 'lib/b.ts')],
      ['paths without quotation marks', md('paths: **/*.ts'), only('b.ts', 'b.js')],
      ['paths in brackets', md('paths: [src/**, "*.md"]'), only('src/x', 'a/b.md')],
      ['paths with braces', md('paths: "src/**/*.{ts,tsx}"'), only('src/a.tsx', 'src/a.js')],
      ['rules of the user', 'Do it.\n', always, '~/.claude/rules/mine.md'],
      ['an import that there is not', 'Do it. See @docs/missing.md\n', { always: ['Do it. See @docs/missing.md'] }, 'CLAUDE.md'],
    ],
  },
  {
    program: 'VS Code', kind: 'rule', source: 'code.visualstudio.com/docs/copilot/customization/custom-instructions',
    path: '.github/instructions/ts.instructions.md',
    rows: [
      ['copilot-instructions.md', 'Do it.\n', always, '.github/copilot-instructions.md'],
      ['applyTo everything', md("applyTo: '**'"), always],
      ['applyTo a pattern', md("applyTo: '**/*.ts'"), only('a/b.ts', 'a/b.js')],
      ['applyTo without quotation marks', md('applyTo: **/*.ts,**/*.tsx'), only('b.tsx', 'b.md')],
      ['applyTo patterns with commas', md('applyTo: "src/**, test/**"'), only('test/x.ts', 'docs/x.md')],
      ['applyTo patterns with braces', md('applyTo: "**/*.{yml,yaml}"'), only('a.yaml', 'a.json')],
      ['a name and a description', md("name: TS\ndescription: 'For TypeScript: all'\napplyTo: '**/*.ts'"), only('b.ts', 'b.js')],
      ['no front matter', 'Do it.\n', always],
      ['a folder below', md("applyTo: '**/*.ts'"), only('b.ts', 'b.js'), '.github/instructions/web/ts.instructions.md'],
      ['line endings of Windows', crlf(md("applyTo: '**/*.ts'")), only('b.ts', 'b.js')],
      ['a byte order mark', `\uFEFF${md("applyTo: '**/*.ts'")}`, only('b.ts', 'b.js')],
      ['AGENTS.md', 'Do it.\n', always, 'AGENTS.md'],
    ],
  },
  {
    program: 'Copilot CLI', kind: 'rule', source: 'docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions',
    path: '.github/instructions/py.instructions.md',
    rows: [
      ['excludeAgent', md('applyTo: "**/*.py"\nexcludeAgent: "code-review"'), only('a.py', 'a.rb')],
      ['of the user', 'Do it.\n', always, '~/.copilot/copilot-instructions.md'],
      ['instructions of the user', md('applyTo: "**"'), always, '~/.copilot/instructions/mine.instructions.md'],
    ],
  },
  {
    program: 'Cursor', kind: 'rule', source: 'cursor.com/docs/context/rules', path: '.cursor/rules/ts.mdc',
    rows: [
      ['alwaysApply', md('description:\nglobs:\nalwaysApply: true'), always],
      ['globs without quotation marks', md('description: d\nglobs: *.ts\nalwaysApply: false'), only('b.ts', 'b.js')],
      ['globs with commas', md('globs: src/**/*.ts,src/**/*.tsx\nalwaysApply: false'), only('src/a/b.tsx', 'lib/b.tsx')],
      ['globs as a list', md('globs: ["**/*.ts", "**/*.tsx"]'), only('b.tsx', 'b.js')],
      ['globs as lines', md('globs:\n  - **/*.ts\n  - **/*.md'), only('b.md', 'b.js')],
      [
        'a description alone', md('description: RPC services: how to write them\nglobs:\nalwaysApply: false'),
        { always: [`${LISTED} It is about: RPC services: how to write them`] },
      ],
      ['a description in quotation marks', md('description: "RPC"\nalwaysApply: false'), { always: [`${LISTED} It is about: RPC`] }],
      ['nothing: only when it is named', md('alwaysApply: false'), { always: [LISTED] }],
      ['a folder below', md('alwaysApply: true'), always, '.cursor/rules/web/ts.mdc'],
      ['a file that is no .mdc', 'Do it.\n', { always: [] }, '.cursor/rules/notes.md'],
      ['.cursorrules', 'Do it.\n', always, '.cursorrules'],
      ['line endings of Windows', crlf(md('globs: *.ts')), only('b.ts', 'b.js')],
      ['a comment behind a value', md('globs: *.ts # all\nalwaysApply: false'), only('b.ts', 'b.js')],
      ['of the user', md('alwaysApply: true'), always, '~/.cursor/rules/mine.mdc'],
    ],
  },
  {
    program: 'Cline', kind: 'rule', source: 'docs.cline.bot/customization/cline-rules', path: '.clinerules/style.md',
    rows: [
      ['a rule', 'Do it.\n', always],
      ['paths', md('paths:\n  - "src/**"'), only('src/a.ts', 'a.ts')],
      ['.clinerules as a file', 'Do it.\n', always, '.clinerules'],
      ['a workflow is no rule', 'Do it.\n', { always: [] }, '.clinerules/workflows/release.md'],
      ['a hook’s README is no rule', '# Hooks\n', { always: [] }, '.clinerules/hooks/README.md'],
      ['a skill is no rule', md('name: x\ndescription: d'), { always: [] }, '.clinerules/skills/x/SKILL.md'],
      ['a folder below', 'Do it.\n', always, '.clinerules/web/style.md'],
    ],
  },
  {
    program: 'Roo Code', kind: 'rule', source: 'docs.roocode.com/features/custom-instructions', path: '.roo/rules/style.md',
    rows: [
      ['a rule', 'Do it.\n', always],
      ['a text file', 'Do it.\n', always, '.roo/rules/style.txt'],
      ['.roorules', 'Do it.\n', always, '.roorules'],
      ['of a mode', 'Do it.\n', { always: [`${LISTED} It is about: what Roo Code keeps to in its mode “code”`] }, '.roo/rules-code/style.md'],
      ['of the user', 'Do it.\n', always, '~/.roo/rules/style.md'],
      ['front matter is text there', md('a: b'), { always: ['---\na: b\n---\nDo it.'] }],
    ],
  },
  {
    program: 'Codex', kind: 'rule', source: 'developers.openai.com/codex/guides/agents-md', path: 'AGENTS.md',
    rows: [
      ['AGENTS.md', '# Codex\n\nDo it.\n', { always: ['# Codex\n\nDo it.'] }],
      ['AGENTS.md of a folder', 'Do it.\n', { always: [], with: { 'web/a.ts': ['Do it.'], 'a.ts': [] } }, 'web/AGENTS.md'],
      ['a byte order mark', '\uFEFFDo it.\n', always],
      ['line endings of Windows', 'Do it.\r\nNow.\r\n', { always: /^Do it\.\r?\nNow\.$/ }],
    ],
  },
];
