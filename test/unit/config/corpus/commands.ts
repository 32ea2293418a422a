import { crlf, type Group, md, type Row } from './corpus-case.js';

const hint = (written: string, shown = written): Row =>
  [`argument-hint: ${written}`, md(`argument-hint: ${written}\ndescription: d`), { hint: shown, description: 'd' }];

const CLAUDE: Group = {
  program: 'Claude Code', kind: 'command', source: 'code.claude.com/docs/en/slash-commands', path: '.claude/commands/fix.md',
  rows: [
    ['no front matter', 'Fix the issue.\n', { name: 'fix', description: 'Fix the issue.', text: 'Fix the issue.' }],
    ['description', md('description: Fixes an issue'), { description: 'Fixes an issue' }],
    ['a folder as a name space', 'Fix it.\n', { name: 'git:fix' }, '.claude/commands/git/fix.md'],
    ['two folders', 'Fix it.\n', { name: 'web:git:fix' }, '.claude/commands/web/git/fix.md'],
    ['a space in the name of the file', 'Fix it.\n', { name: 'fix-it' }, '.claude/commands/fix it.md'],
    ['of the user', 'Fix it.\n', { name: 'fix' }, '~/.claude/commands/fix.md'],
    hint('[message]'), hint('[pr-number] [priority] [assignee]'), hint('[version] | [entry-type]'), hint('[list|save|load] [name]'),
    hint('{a} | {b}'), hint('[file] > [out]'), hint('[PR #123]'), hint('[a'),
    hint('"quoted" then more'), hint('!x'), hint('@file'), hint('*'), hint('%x'), hint('`name`'),
    hint('<optional: platform>'), hint('key: value: more'), hint('[optional: a value] [b]'), hint('- x'),
    hint('"[version]"', '[version]'), hint("'[--dry-run] [--yes]'", '[--dry-run] [--yes]'), hint('add [id] | remove [id] | list'),
    hint('[— venue: ICLR, width: 185]'),
    [
      'allowed-tools with commas', md('allowed-tools: Bash(git add:*), Bash(git status:*), Read'),
      { allowed: ['Bash(git add:*)', 'Bash(git status:*)', 'Read'] },
    ],
    ['allowed-tools with spaces', md('allowed-tools: Bash(git add *) Read Grep'), { allowed: ['Bash(git add *)', 'Read', 'Grep'] }],
    ['allowed-tools as a list', md('allowed-tools:\n  - Bash(npm test:*)\n  - Edit'), { allowed: ['Bash(npm test:*)', 'Edit'] }],
    ['allowed-tools in brackets', md('allowed-tools: ["Bash(gh pr view:*)", Read]'), { allowed: ['Bash(gh pr view:*)', 'Read'] }],
    [
      'allowed-tools with Task and AskUserQuestion', md('allowed-tools: Task, AskUserQuestion, Read'),
      { allowed: ['ask', 'Read'], ignored: ['allowed-tools[0]'] },
    ],
    ['allowed-tools that are no YAML', md('description: d\nallowed-tools: [Read'), { skipped: '/bracket/', problems: /bracket/ }],
    ['allowed-tools that begin with a star', md('allowed-tools: *'), { skipped: '/YAML|not allowed/', problems: /YAML|not allowed/ }],
    [
      'allowed-tools with a colon behind a hint in brackets', md('argument-hint: [a] | [b]\nallowed-tools: Bash(git:*)'),
      { hint: '[a] | [b]', allowed: ['Bash(git:*)'] },
    ],
    ['allowed-tools twice', md('allowed-tools: Read\nallowed-tools: Bash(rm:*)'), { skipped: '/twice/', problems: /twice/ }],
    ['model', md('model: claude-3-5-haiku-20241022'), { model: 'claude-3-5-haiku-20241022' }],
    ['disable-model-invocation', md('disable-model-invocation: true'), { ignored: ['disable-model-invocation'] }],
    ['context fork', md('context: fork\nagent: Explore'), { ignored: ['context'], agent: 'Explore' }],
    [
      'hooks', md('hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh'),
      { hooks: ['PreToolUse Bash: ./guard.sh'] },
    ],
    ['hooks behind an empty line', `\n${md('hooks:\n  Stop: []')}`, { skipped: '/“hooks” would have no effect/', problems: /hooks/ }],
    ['allowed-tools behind an empty line', `\n${md('allowed-tools: Read')}`, { allowed: [], notes: 1 }],
    ['$ARGUMENTS', 'Fix issue #$ARGUMENTS.\n', { text: 'Fix issue #$ARGUMENTS.', firstArgument: 1 }],
    ['arguments by number', 'Review PR #$1 with $2.\n', { firstArgument: 1 }],
    ['arguments by name', md('arguments: [issue, branch]', 'Fix $issue on $branch.\n'), { argumentNames: ['issue', 'branch'], hint: '[issue] [branch]' }],
    ['a description with a colon', md('description: Commit: with a message'), { description: 'Commit: with a message' }],
    ['a description that ends with a colon', md('description: Flags:'), { description: 'Flags:' }],
    ['a description with a comment', md('description: Commit # all of it'), { description: 'Commit' }],
    ['a description with a number sign', md('description: Fix issue#12'), { description: 'Fix issue#12' }],
    ['a description with a path of Windows in quotation marks', md('description: "Reads C:\\temp\\new"'), { description: /^Reads C:/ }],
    ['a description in typographic quotation marks', md('description: “Note: this”'), { description: '“Note: this”' }],
    ['a description as a list', md('description:\n  - a'), { refused: ['description'], problems: /must be a text/ }],
    ['line endings of Windows', crlf(md('argument-hint: [a] | [b]\ndescription: d')), { hint: '[a] | [b]', text: 'Do it.' }],
    ['line endings of old Macs', md('description: d').replaceAll('\n', '\r'), { description: 'd', text: 'Do it.' }],
    ['a byte order mark', `\uFEFF${md('description: d')}`, { description: 'd' }],
    ['front matter that ends with dots', '---\ndescription: d\n...\nDo it.\n', { description: 'd', text: 'Do it.' }],
    ['empty front matter', '---\n---\nDo it.\n', { text: 'Do it.' }],
    ['no text', md('description: d', ''), { skipped: '/no text/', problems: /no text/ }],
    ['front matter without an end', '---\ndescription: d\nDo it.\n', { skipped: '/no end/', problems: /no end/ }],
    ['a field of nobody', md('zzz: 1'), { ignored: ['zzz'] }],
    ['a README', '# Commands\n', { count: 0, problems: undefined }, '.claude/commands/README.md'],
  ],
};

const VSCODE: Group = {
  program: 'VS Code', kind: 'command', source: 'code.visualstudio.com/docs/copilot/customization/prompt-files', path: '.github/prompts/explain.prompt.md',
  rows: [
    ['no front matter', 'Explain it.\n', { name: 'explain', dialect: 'vscode', text: 'Explain it.' }],
    ['description and agent', md("description: 'Explains'\nagent: 'agent'"), { description: 'Explains', agent: undefined, ignored: ['agent'] }],
    ['agent ask', md('agent: ask'), { ignored: ['agent'] }],
    ['a custom agent', md('agent: Planner'), { agent: 'Planner' }],
    ['mode, deprecated', md('mode: edit'), { agent: undefined, ignored: ['mode'] }],
    ['name', md('name: explain-all'), { name: 'explain-all' }],
    ['a name with spaces', md('name: Explain All'), { name: 'Explain-All' }],
    ['model', md('model: GPT-4o'), { model: 'GPT-4o' }],
    ['tools', md("tools: ['search/codebase', 'edit']"), { ignored: ['tools'] }],
    ['argument-hint', md('argument-hint: Name of the component'), { hint: 'Name of the component' }],
    ['argument-hint in brackets', md('argument-hint: [component] | [page]'), { hint: '[component] | [page]' }],
    ['inputs', 'Make ${input:name} in ${input:folder:src/components}.\n', { hint: '[name] [folder]' }],
    ['variables of the editor', 'Explain ${selection} of ${file}.\n', { text: 'Explain ${selection} of ${file}.' }],
    ['a variable that has no value here', 'Use ${unknownThing}.\n', { notes: 1 }],
    ['a description with a colon', md('description: Explain: briefly'), { description: 'Explain: briefly' }],
    ['hooks', md('hooks: {}'), { hooks: [], ignored: ['hooks'] }],
    ['a folder below is not looked into', 'Explain.\n', { count: 0, problems: undefined }, '.github/prompts/sub/explain.prompt.md'],
    ['a file without .prompt', 'Explain.\n', { count: 0, problems: undefined }, '.github/prompts/explain.md'],
    ['line endings of Windows', crlf(md('description: d')), { description: 'd' }],
  ],
};

const plain = (program: Group['program'], source: string, folder: string, more: Group['rows'] = []): Group => ({
  program, kind: 'command', source, path: `${folder}/release.md`,
  rows: [
    [`a text in ${folder}`, '# Release\n\n1. Build\n', { name: 'release', dialect: 'plain', text: '# Release\n\n1. Build' }],
    [`what another program would replace stays in ${folder}`, 'Use $1 and !`date`.\n', { text: 'Use $1 and !`date`.' }],
    [`a space in the name in ${folder}`, 'Go.\n', { name: 'release-notes' }, `${folder}/release notes.md`],
    [`capitals in the name in ${folder}`, 'Go.\n', { name: 'Release' }, `${folder}/Release.md`],
    ...more,
  ],
});

export const COMMANDS: readonly Group[] = [
  CLAUDE,
  VSCODE,
  plain('Cursor', 'cursor.com/docs/agent/chat/commands', '.cursor/commands', [['of the user', 'Go.\n', { name: 'release' }, '~/.cursor/commands/release.md']]),
  plain('Roo Code', 'docs.roocode.com/features/slash-commands', '.roo/commands', [
    ['description', md('description: Makes a release'), { description: 'Makes a release' }],
    ['argument-hint', md('argument-hint: <version> | <kind>\ndescription: d'), { hint: '<version> | <kind>' }],
    ['argument-hint in brackets', md('argument-hint: [version] | [kind]'), { hint: '[version] | [kind]' }],
    ['mode', md('description: d\nmode: code'), { agent: 'code' }],
    ['of the user', 'Go.\n', { name: 'release' }, '~/.roo/commands/release.md'],
  ]),
  plain('Cline', 'docs.cline.bot/customization/workflows', '.clinerules/workflows', [
    ['XML of its tools', '<read_file>\n<path>a</path>\n</read_file>\n', { text: '<read_file>\n<path>a</path>\n</read_file>' }],
  ]),
  plain('Cline', 'github.com/cline/cline/blob/main/sdk/packages/shared/src/storage/paths.ts', '.cline/workflows', [
    ['of the user', 'Go.\n', { name: 'release' }, '~/.cline/workflows/release.md'],
  ]),
];
