import { crlf, type Group, md } from './corpus-case.js';

export const STYLES: readonly Group[] = [
  {
    program: 'Claude Code',
    kind: 'output style',
    source: 'code.claude.com/docs/en/output-styles',
    path: '.claude/output-styles/teacher.md',
    rows: [
      [
        'all fields',
        md('name: Teacher\ndescription: Explains\nkeep-coding-instructions: true', 'Explain.\n'),
        { name: 'Teacher', description: 'Explains', keeps: true, text: 'Explain.' },
      ],
      ['no name: that of the file', md('description: Explains'), { name: 'teacher', keeps: false }],
      ['no front matter', 'Explain.\n', { name: 'teacher', text: 'Explain.' }],
      ['a description with a colon', md('description: Explains: why'), { description: 'Explains: why' }],
      ['a description in brackets', md('description: [new] Explains'), { description: '[new] Explains' }],
      ['a description that is a list for YAML', md('description: [new]'), { description: '[new]' }],
      ['keep-coding-instructions that is no switch', md('keep-coding-instructions: maybe'), { keeps: false, problems: /true or false/ }],
      ['force-for-plugin', md('force-for-plugin: true'), { ignored: ['force-for-plugin'] }],
      ['a name with spaces', md('name: My Custom Style'), { name: 'My Custom Style' }],
      ['line endings of Windows', crlf(md('name: T\ndescription: d')), { name: 'T', text: 'Do it.' }],
      ['headings and lists in the text', md('name: T', '# How\n\n- so\n'), { text: '# How\n\n- so' }],
      ['of the user', md('name: Mine'), { name: 'Mine' }, '~/.claude/output-styles/mine.md'],
      ['a reserved name', md('name: default'), { skipped: '/reserved/', problems: /reserved/ }],
      ['a field of nobody', md('tone: warm'), { ignored: ['tone'] }],
    ],
  },
];
