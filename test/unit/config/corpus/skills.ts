import { crlf, type Group, md } from './corpus-case.js';

const NAMED = 'name: notes\ndescription: Writes notes';
const mismatched = { conforms: false, problems: /It is used as “notes”/, name: 'notes' };

const STANDARD: Group = {
  program: 'agentskills.io',
  kind: 'skill',
  source: 'agentskills.io/specification',
  path: '.agents/skills/notes/SKILL.md',
  rows: [
    ['required fields', md(NAMED), { name: 'notes', description: 'Writes notes', conforms: true, byModel: true, byUser: true }],
    [
      'all fields',
      md(`${NAMED}\nlicense: Apache-2.0\ncompatibility: Needs git\nmetadata:\n  author: me\n  version: "1.0"\nallowed-tools: Bash(git:*) Read`),
      { conforms: true, allowed: ['Bash(git:*)', 'Read'] },
    ],
    ['license that names a file', md(`${NAMED}\nlicense: Proprietary. LICENSE.txt has complete terms`), { conforms: true }],
    ['a description of 1,024 characters', md(`name: notes\ndescription: ${'d'.repeat(1024)}`), { conforms: true }],
    ['a longer description', md(`name: notes\ndescription: ${'d'.repeat(1025)}`), { conforms: false, problems: /1,024/ }],
    ['compatibility that is too long', md(`${NAMED}\ncompatibility: ${'c'.repeat(501)}`), { conforms: false, problems: /500/ }],
    ['a name other than the folder', md('name: release-notes\ndescription: d'), mismatched],
    ['a name in capitals', md('name: Notes\ndescription: d'), mismatched],
    ['a name with spaces', md('name: My Notes\ndescription: d'), mismatched],
    ['a name with underscores', md('name: my_notes\ndescription: d'), mismatched],
    ['a name with two hyphens', md('name: my--notes\ndescription: d'), mismatched],
    ['a name of 65 characters', md(`name: ${'n'.repeat(65)}\ndescription: d`), mismatched],
    [
      'a folder of 70 characters',
      md(`name: ${'n'.repeat(70)}\ndescription: d`),
      { name: 'n'.repeat(64), problems: /64 characters/ },
      `.agents/skills/${'n'.repeat(70)}/SKILL.md`,
    ],
    ['a folder in capitals', md('name: Notes\ndescription: d'), { ...mismatched }, '.agents/skills/Notes/SKILL.md'],
    ['no name', md('description: d'), mismatched],
    ['no description', md('name: notes'), { skipped: '/description/', problems: /description/ }],
    ['no front matter', '# Notes\n', { skipped: '/no front matter/', problems: /front matter/ }],
    [
      'a description with a colon',
      md('name: notes\ndescription: Use this skill when: the user asks'),
      { description: 'Use this skill when: the user asks', conforms: false, notes: 1 },
    ],
    ['a folded description', md('name: notes\ndescription: >-\n  Writes\n  notes'), { description: 'Writes notes', conforms: true }],
    ['metadata with other values than texts', md(`${NAMED}\nmetadata:\n  tags: [a, b]`), { conforms: true }],
    ['metadata on one line', md(`${NAMED}\nmetadata: { author: me }`), { conforms: true }],
    ['allowed-tools with commas', md(`${NAMED}\nallowed-tools: Read, Grep`), { allowed: ['Read', 'Grep'] }],
    ['allowed-tools that are no YAML', md(`${NAMED}\nallowed-tools: [Read`), { skipped: '/bracket/', problems: /bracket/ }],
    ['a lower-case file', md(NAMED), { name: 'notes' }, '.agents/skills/notes/skill.md'],
    ['a folder in a folder', md(NAMED), { name: 'notes' }, '.agents/skills/writing/notes/SKILL.md'],
    ['of the user', md(NAMED), { name: 'notes' }, '~/.agents/skills/notes/SKILL.md'],
    ['line endings of Windows', crlf(md(NAMED)), { name: 'notes', conforms: true }],
    ['a byte order mark', `\uFEFF${md(NAMED)}`, { name: 'notes' }],
    ['front matter behind an empty line', `\n${md(NAMED)}`, { skipped: '/no front matter/', problems: /front matter/ }],
    ['front matter that ends with dots', `---\n${NAMED}\n...\nDo it.\n`, { name: 'notes' }],
    ['an anchor', md('name: &n notes\ndescription: d'), { skipped: '/not allowed/', problems: /not allowed/ }],
    ['other fields', md(`${NAMED}\nversion: 1.0.0\nauthor: me\nhomepage: https://example.com\nsource: here`), { conforms: false, problems: [] }],
  ],
};

const CLAUDE: Group = {
  program: 'Claude Code',
  kind: 'skill',
  source: 'code.claude.com/docs/en/skills',
  path: '.claude/skills/notes/SKILL.md',
  rows: [
    ['no name: that of the folder', md('description: d'), { name: 'notes', problems: /used as “notes”/ }],
    ['another name: that of the folder', md('name: Release notes\ndescription: d'), { name: 'notes', problems: /used as “notes”/ }],
    ['when_to_use', md(`${NAMED}\nwhen_to_use: For releases`), { description: 'Writes notes For releases' }],
    ['argument-hint', md(`${NAMED}\nargument-hint: [issue-number]`), { hint: '[issue-number]' }],
    ['argument-hint with alternatives', md(`${NAMED}\nargument-hint: [file] | [folder]`), { hint: '[file] | [folder]' }],
    ['argument-hint that begins with an exclamation mark', md(`${NAMED}\nargument-hint: !now`), { hint: '!now' }],
    ['disable-model-invocation', md(`${NAMED}\ndisable-model-invocation: true`), { byModel: false, byUser: true }],
    ['disable-model-invocation that is no YAML', md(`${NAMED}\ndisable-model-invocation: [true`), { skipped: '/YAML/', problems: /YAML/ }],
    ['user-invocable', md(`${NAMED}\nuser-invocable: false`), { byModel: true, byUser: false }],
    ['allowed-tools with spaces within parentheses', md(`${NAMED}\nallowed-tools: Bash(git log *) Read`), { allowed: ['Bash(git log *)', 'Read'] }],
    ['allowed-tools as a list', md(`${NAMED}\nallowed-tools:\n  - Read\n  - Task`), { allowed: ['Read', 'Task'] }],
    ['disallowed-tools', md(`${NAMED}\ndisallowed-tools: AskUserQuestion`), { ignored: ['disallowed-tools'] }],
    ['model and effort', md(`${NAMED}\nmodel: opus\neffort: low`), { model: 'opus', effort: 'low' }],
    ['context fork', md(`${NAMED}\ncontext: fork\nagent: Explore`), { agent: undefined, ignored: ['context', 'agent'] }],
    ['paths', md(`${NAMED}\npaths: "src/**/*.ts"`), { ignored: ['paths'] }],
    ['paths that begin with a star', md(`${NAMED}\npaths: **/*.ts`), { ignored: ['paths'] }],
    ['shell', md(`${NAMED}\nshell: powershell`), { ignored: ['shell'] }],
    ['arguments', md(`${NAMED}\narguments: issue branch`), { argumentNames: ['issue', 'branch'] }],
    [
      'hooks',
      md(`${NAMED}\nhooks:\n  PreToolUse:\n    - matcher: "Bash"\n      hooks:\n        - type: command\n          command: ./check.sh`),
      { hooks: ['PreToolUse Bash: ./check.sh'] },
    ],
    ['of the user', md(NAMED), { name: 'notes' }, '~/.claude/skills/notes/SKILL.md'],
  ],
};

const others = (program: Group['program'], source: string, paths: readonly string[]): Group => ({
  program,
  kind: 'skill',
  source,
  path: '',
  rows: paths.map((folder) => [
    `in ${folder}`,
    md(NAMED, `In ${folder}.\n`),
    { name: 'notes', description: 'Writes notes', mode: /skills-(.*)/.exec(folder)?.[1] },
    `${folder}/notes/SKILL.md`,
  ]),
});

export const SKILLS: readonly Group[] = [
  STANDARD,
  CLAUDE,
  others('VS Code', 'code.visualstudio.com/docs/copilot/customization/agent-skills', ['.github/skills', '.claude/skills', '.agents/skills']),
  others('Copilot CLI', 'docs.github.com/en/copilot/concepts/agents/about-agent-skills', ['~/.copilot/skills']),
  others('Cursor', 'cursor.com/docs/context/skills', ['.cursor/skills', '~/.cursor/skills']),
  others('Roo Code', 'docs.roocode.com/features/skills', ['.roo/skills', '~/.roo/skills', '.roo/skills-code', '~/.roo/skills-code']),
  others('Cline', 'docs.cline.bot/customization/skills', ['.cline/skills', '.clinerules/skills', '~/.cline/skills']),
  others('Codex', 'developers.openai.com/codex/skills', ['.agents/skills', '~/.agents/skills']),
];
