import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALL_RUNS } from '../../../support/runs.js';
import { elisionIn } from '../../../../src/tool/editing/elision.js';
import { inSoak } from '../../../support/in-soak.js';

/** Comments by language: a file name and how a line of its comments is written. */
const LANGUAGES: Readonly<Record<string, readonly [file: string, comment: (words: string) => string]>> = {
  TypeScript: ['a.ts', (words) => `// ${words}`],
  'JavaScript, indented': ['a.js', (words) => `    //${words}`],
  'C, block': ['a.c', (words) => `/* ${words} */`],
  Java: ['A.java', (words) => `  // ${words}`],
  Rust: ['a.rs', (words) => `/// ${words}`],
  Go: ['a.go', (words) => `\t// ${words}`],
  Swift: ['a.swift', (words) => `//! ${words}`],
  PHP: ['a.php', (words) => `# ${words}`],
  Python: ['a.py', (words) => `    # ${words}`],
  'Python, documentation': ['a.py', (words) => `"""${words}"""`],
  Ruby: ['a.rb', (words) => `## ${words}`],
  Shell: ['a.sh', (words) => `# ${words}`],
  YAML: ['a.yaml', (words) => `  # ${words}`],
  SQL: ['a.sql', (words) => `-- ${words}`],
  Lua: ['a.lua', (words) => `--[[ ${words} ]]`],
  Haskell: ['a.hs', (words) => `{- ${words} -}`],
  Clojure: ['a.clj', (words) => `;; ${words}`],
  'an INI file': ['a.ini', (words) => `; ${words}`],
  TeX: ['a.tex', (words) => `% ${words}`],
  Erlang: ['a.erl', (words) => `%% ${words}`],
  HTML: ['a.html', (words) => `<!-- ${words} -->`],
  Markdown: ['a.md', (words) => `<!-- ${words} -->`],
  CSS: ['a.css', (words) => `  /* ${words} */`],
  JSX: ['a.tsx', (words) => `      {/* ${words} */}`],
  Handlebars: ['a.hbs', (words) => `{{!-- ${words} --}}`],
  Jinja: ['a.html', (words) => `{# ${words} #}`],
  ERB: ['a.erb', (words) => `<%# ${words} %>`],
  Razor: ['a.cshtml', (words) => `@* ${words} *@`],
  OCaml: ['a.ml', (words) => `(* ${words} *)`],
  'Visual Basic': ['a.vb', (words) => `' ${words}`],
  'a batch file': ['a.bat', (words) => `REM ${words}`],
  Fortran: ['a.f90', (words) => `! ${words}`],
  Vim: ['a.vim', (words) => `" ${words}`],
  PowerShell: ['a.ps1', (words) => `<# ${words} #>`],
  Haml: ['a.haml', (words) => `-# ${words}`],
  Blade: ['a.blade.php', (words) => `    {{-- ${words} --}}`],
  Liquid: ['a.liquid', (words) => `{% comment %} ${words} {% endcomment %}`],
  'Liquid, without spaces around it': ['a.html', (words) => `{%- comment -%}${words}{%- endcomment -%}`],
  'Liquid, on one line': ['a.liquid', (words) => `{% # ${words} %}`],
  Julia: ['a.jl', (words) => `#= ${words} =#`],
  D: ['a.d', (words) => `/+ ${words} +/`],
  Pascal: ['a.pas', (words) => `  { ${words} }`],
  'assembler for ARM': ['a.s', (words) => `@ ${words}`],
  'assembler for 68000': ['a.S', (words) => `| ${words}`],
  roff: ['a.1', (words) => `.\\" ${words}`],
  Forth: ['a.fth', (words) => `\\ ${words}`],
  APL: ['a.apl', (words) => `⍝ ${words}`],
  reStructuredText: ['a.rst', (words) => `.. ${words}`],
  AsciiDoc: ['a.adoc', (words) => `// ${words}`],
};

/** What models write in place of what they leave out; `…` and `⋯` are tried for every `...`. */
const WORDINGS = [
  '... existing code ...',
  '...existing code...',
  '... rest of the file ...',
  '... rest of file unchanged ...',
  '... (rest of the code remains unchanged) ...',
  '... keep existing code ...',
  '... other methods ...',
  '... previous code ...',
  '... unchanged ...',
  '... same as before ...',
  '... remaining methods unchanged ...',
  '... existing code here ...',
  '... omitted for brevity ...',
  '... existing UserService methods ...',
  '... imports remain the same ...',
  '... all other functions remain unchanged ...',
  '... rest of your code ...',
  '... no changes here ...',
  '... lines 10-50 unchanged ...',
  '... rest of handleSubmit ...',
  '... other imports',
  '... existing code',
  '...rest of the implementation',
  '... (unchanged)',
  'existing imports ...',
  'rest of the code...',
  'remaining functions ...',
  '[existing code]',
  '(rest of file unchanged)',
  'rest of the file unchanged',
  'rest of file unchanged',
  'The rest of the code remains the same',
  'existing code unchanged',
  'existing code here',
  'remaining code unchanged',
  'all other methods stay as is',
  'other imports remain unchanged',
  'code omitted for brevity',
  'keep the rest of the file as is',
  'previous implementation goes here',
  'your existing code here',
];

const OLD = 'import a from "a";\nconst one = 1;\nconst two = 2;\n';
/** More lines than there were. */
const longer = (line: string): string => `const zero = 0;\n${line}\n${'const more = 1;\n'.repeat(20)}`;

function spellings(words: string): readonly string[] {
  return [words, words.replaceAll('...', '…'), words.replaceAll('...', '⋯'), words.toUpperCase(), words.replaceAll('...', '....')];
}

test.each(Object.entries(LANGUAGES))('a line of omission in %s is found, whatever the length of the text', (_language, [name, comment]) => {
  for (const words of WORDINGS.flatMap(spellings)) {
    const line = comment(words);
    expect(elisionIn({ name, before: OLD, after: longer(line) }), line).toEqual({ line: 2, text: line.trim() });
    expect(elisionIn({ name, before: `${OLD}${line.trim()}\n`, after: longer(line) }), line).toBeUndefined();
  }
});

/** Comments over several lines by language: a file name, and how lines of words are written in one. */
const each = (lines: readonly string[], mark: string): string => lines.map((line) => `${mark}${line}`).join('\n');
const BLOCKS: Readonly<Record<string, readonly [file: string, comment: (...lines: readonly string[]) => string]>> = {
  C: ['a.c', (...lines) => `/*\n${each(lines, ' * ')}\n */`],
  'C, without stars': ['a.h', (...lines) => `/*\n${each(lines, '  ')}\n*/`],
  Java: ['A.java', (...lines) => `    /**\n${each(lines, '     * ')}\n     */`],
  TypeScript: ['a.ts', (...lines) => `/* ${lines.join('\n   ')}\n*/`],
  Go: ['a.go', (...lines) => `/*\n${each(lines, '\t')}\n*/`],
  Rust: ['a.rs', (...lines) => `/*!\n${each(lines, ' * ')}\n */`],
  PHP: ['a.php', (...lines) => `/*\n${each(lines, ' * ')}\n */`],
  CSS: ['a.css', (...lines) => `/* ==========\n${each(lines, '   ')}\n   ========== */`],
  JSX: ['a.tsx', (...lines) => `      {/*\n${each(lines, '        ')}\n      */}`],
  HTML: ['a.html', (...lines) => `<!--\n${each(lines, '  ')}\n-->`],
  Markdown: ['a.md', (...lines) => `<!--\n${each(lines, '')}\n-->`],
  XML: ['a.xml', (...lines) => `<!-- ${lines.join('\n     ')}\n-->`],
  Vue: ['a.vue', (...lines) => `  <!--\n${each(lines, '    ')}\n  -->`],
  Python: ['a.py', (...lines) => `    """\n${each(lines, '    ')}\n    """`],
  'Python, other marks': ['a.py', (...lines) => `'''\n${each(lines, '')}\n'''`],
  Handlebars: ['a.hbs', (...lines) => `{{!--\n${each(lines, '  ')}\n--}}`],
  'a Helm chart': ['a.tpl', (...lines) => `{{/*\n${each(lines, '')}\n*/}}`],
  JSP: ['a.jsp', (...lines) => `<%--\n${each(lines, '')}\n--%>`],
  Blade: ['a.blade.php', (...lines) => `{{--\n${each(lines, '    ')}\n--}}`],
  Liquid: ['a.liquid', (...lines) => `{% comment %}\n${each(lines, '  ')}\n{% endcomment %}`],
  D: ['a.d', (...lines) => `/+\n${each(lines, ' + ')}\n +/`],
  Razor: ['a.cshtml', (...lines) => `@*\n${each(lines, '')}\n*@`],
  OCaml: ['a.ml', (...lines) => `(*\n${each(lines, ' * ')}\n *)`],
  Haskell: ['a.hs', (...lines) => `{-\n${each(lines, '')}\n-}`],
  Jinja: ['a.j2', (...lines) => `{#\n${each(lines, '')}\n#}`],
  PowerShell: ['a.ps1', (...lines) => `<#\n${each(lines, '')}\n#>`],
  Lua: ['a.lua', (...lines) => `--[[\n${each(lines, '')}\n]]`],
  Lisp: ['a.lisp', (...lines) => `#|\n${each(lines, '')}\n|#`],
  Julia: ['a.jl', (...lines) => `#=\n${each(lines, '')}\n=#`],
  Ruby: ['a.rb', (...lines) => `=begin\n${each(lines, '')}\n=end`],
  MATLAB: ['a.m', (...lines) => `%{\n${each(lines, '')}\n%}`],
  SQL: ['a.sql', (...lines) => `/*\n${each(lines, '  ')}\n*/`],
  LaTeX: ['a.tex', (...lines) => `\\begin{comment}\n${each(lines, '')}\n\\end{comment}`],
  'Kotlin, a row': ['a.kt', (...lines) => each(lines, '    // ')],
  'Shell, a row': ['a.sh', (...lines) => each(lines, '# ')],
  'SQL, a row': ['a.sql', (...lines) => each(lines, '-- ')],
};

/** The same on one line and on two. */
const OVER_LINES: readonly (readonly string[])[] = [
  ['rest of the code unchanged'],
  ['rest of the code', 'unchanged'],
  ['The rest of the code remains', 'the same'],
  ['existing code here'],
  ['code omitted', 'for brevity'],
  ['... existing', 'code ...'],
  ['NOTE: rest of the file unchanged'],
  ['Note: the rest of the file', 'is unchanged.'],
  ['Remaining code unchanged', 'from the original file.'],
  ['All other methods remain unchanged.'],
];

test.each(Object.entries(BLOCKS))('an omission in a comment over several lines in %s is found', (_language, [name, block]) => {
  for (const words of OVER_LINES.flatMap((lines) => [lines, lines.map((line) => line.toUpperCase()), lines.map((line) => line.replace('...', '…'))])) {
    const text = block(...words);
    expect(elisionIn({ name, before: OLD, after: longer(text) }), text).toBeDefined();
    // What the old text has is meant literally.
    expect(elisionIn({ name, before: `${OLD}${text}\n`, after: longer(text) }), text).toBeUndefined();
  }
});

test.each(Object.entries(LANGUAGES))('a note of an omission in %s is found', (_language, [name, comment]) => {
  for (const words of [
    'NOTE: rest of the file unchanged',
    'Note - the remaining code stays the same',
    'Important: all other functions remain unchanged',
    'The rest of the file is unchanged from the original',
    'NOTE(ai): existing code omitted for brevity',
  ]) {
    expect(elisionIn({ name, before: OLD, after: longer(comment(words)) }), words).toMatchObject({ line: 2 });
  }
});

test.each([
  '  "... existing dependencies ...",',
  '  "...rest of the entries unchanged...": true,',
  '  "// ... existing scripts ...": "",',
  '  "// rest of the file unchanged": "",',
  '  "//": "rest of the file unchanged",',
  '  "_comment": "... remaining options unchanged ...",',
  '  "comment": "The rest of the configuration stays the same"',
  '  "scripts": "... existing scripts ...",',
  '  { "...": "... other entries ..." },',
  '// ... existing code ...',
  '  "# ... other keys ...": null',
  '  "...": "existing entries",',
  '  "…": "the rest of the entries"',
])('the member %s of JSON is found', (line) => {
  for (const name of ['a.json', 'a.jsonc', 'package.json', 'a.ipynb'])
    expect(elisionIn({ name, before: '{}\n', after: longer(line) }), name).toEqual({ line: 2, text: line.trim() });
});

test.each(['"...",', '"...": "...",', '{ "…": "…" }', '"... autres entrées ...": {},'])('where JSON gets shorter, %s is found, too', (line) => {
  expect(elisionIn({ name: 'a.json', before: 'a\nb\nc\nd\n', after: `[\n${line}\n]` })).toMatchObject({ line: 2 });
  expect(elisionIn({ name: 'a.json', before: '', after: `[\n${line}\n]` })).toBeUndefined();
});

test.each([
  '[... rest of the document unchanged ...]',
  '*(rest unchanged)*',
  '_[rest of the section unchanged]_',
  '**... rest of the document ...**',
  '> ... rest of the document unchanged ...',
  '- ... (other items unchanged) ...',
  '*The rest of the document remains unchanged.*',
  '1. [remaining items unchanged]',
  '_Note: the rest of the file is unchanged_',
  '... (rest of the document remains the same) ...',
  '(The rest of the document stays the same)',
])('the line %s of prose is found', (line) => {
  for (const name of ['README.md', 'a.mdx', 'a.rst', 'a.adoc'])
    expect(elisionIn({ name, before: 'Old\n', after: longer(line) }), name).toEqual({ line: 2, text: line });
});

test.each(['| ... | ... |', '|…|…|…|'])('where a table gets shorter, the row %s is found', (line) => {
  expect(elisionIn({ name: 'a.md', before: 'a\nb\nc\nd\n', after: `| a | b |\n${line}\n` })).toMatchObject({ line: 2 });
  expect(elisionIn({ name: 'a.md', before: '', after: `| a | b |\n${line}\n` })).toBeUndefined();
});

/** Texts that say what they mean, though parts of them look otherwise. */
const MEANT_TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['a.c', '/*\n * The rest of the code unchanged since 1.0 is covered by\n * the license below, and may be copied.\n */'],
  ['a.ts', '/**\n * Returns the rest of the file.\n */'],
  ['a.ts', '/**\n * ...rest of the options\n */'],
  ['a.ts', '// The rest of the arguments\n// goes to the command.'],
  ['a.ts', '// Keeps the original code,\n// which stays the same.'],
  ['a.py', '"""\nReads the existing code.\n"""'],
  ['a.py', '"""\n...\n"""'],
  ['a.py', '# NOTE: existing users keep their settings'],
  ['a.ts', '// TODO: the rest of the page'],
  ['a.ts', '// NOTE: other platforms'],
  ['a.sh', '# The remaining lines\n# are read as they come.\n# unchanged'],
  ['a.json', '{ "more": "…", "...": "…und mehr" }'],
  ['a.json', '  "loading": "...",'],
  ['a.json', '  "The rest of the file is unchanged": "Der Rest",'],
  ['a.json', '  "Unchanged": "Unverändert",'],
  ['a.json', '  "existing code",'],
  ['a.json', '  "comment": "Not used any more",'],
  ['a.json', '  "comment": "Existing users",'],
  ['a.json', '  "...": "existing users"'],
  ['a.json', '  "...": "the rest",'],
  ['a.md', '* other methods ...'],
  ['a.md', '*unchanged*'],
  ['a.md', '- ... and more'],
  ['a.md', '> The rest of the document is unchanged.'],
  ['a.md', '- The rest of the code stays the same.'],
  ['a.md', '| `...` | the rest |'],
  ['a.md', '"""\nrest of the code unchanged\n"""'],
  ['a.md', '---\nrest: unchanged\n---'],
  ['a.yaml', '- ...'],
  ['a.yaml', '---\n...'],
  ['a.yaml', '- "... rest of the file ..."'],
  ['a.ts', 'const { a, ...rest } = it;\n// rest\n'],
  ['a.ts', 'f(\n  ...existing,\n  ...other,\n);'],
];

test.each(MEANT_TEXTS)('in %s, %j is meant as it is written', (name, text) => {
  expect(elisionIn({ name, before: OLD, after: longer(text) })).toBeUndefined();
});

const BARE = [
  '...existing code...',
  '...rest of the file…',
  '...your existing imports...',
  '⋯ existing code ⋯',
  '... existing code ...',
  '... rest of the file ...',
  '… other methods …',
  '[rest of file unchanged]',
  '[... same code ...]',
  '(code is unchanged)',
];

test.each(BARE)('without a comment around it, %s is found', (line) => {
  expect(elisionIn({ name: 'a.ts', before: OLD, after: longer(line) })).toEqual({ line: 2, text: line });
});

/** Lines that say what they mean. */
const MEANT: readonly string[] = [
  '...args',
  '  ...rest,',
  '...existing,',
  '...other',
  '...previous, value',
  'const all = [...existing, ...other];',
  'f(...args);',
  'function f(...rest: string[]) {',
  '{ ...original }',
  '[...same]',
  '    ...',
  '...',
  '…',
  'def f(self): ...',
  '# ...',
  '// ...',
  '/* ... */',
  '// Loading the file...',
  '# Reading the existing code...and more of it',
  '// Saving content ...',
  '// TODO: the rest of the handlers',
  '// returns the previous value',
  '// the rest is history',
  '// ...and then some, with care',
  '// Keep the original order',
  '// other platforms',
  '// same for the left side',
  '// unchanged',
  '// No changes needed',
  '# Existing users keep their settings',
  '# --- Helper functions ---',
  '// ---- other methods ----',
  '// rest parameters',
  '// The rest of the arguments',
  '"existing code"',
  "'rest of file unchanged',",
  'print("... rest of the file ...")',
  '[unchanged]',
  '{ existing, options }',
  '(other)',
  '[previous, value]',
  '* unchanged since 2019, do not touch without asking',
  ' * ...rest of the options',
  '"...": "existing"',
  '<Other content />',
  'rest of the file unchanged',
  'The existing code stays the same.',
  'case "same": // unchanged',
  'foo(); // ... existing users ...',
  '...other options...',
  '...existing...',
  'f(...a, ...rest...);',
  '// existing users',
  '// Existing file',
  '// all existing tests',
  '// rest of the line',
  '# the remaining functions',
  '// leave the rest to the caller',
  '// keep the rest in sync',
  '@existing',
  '| rest | unchanged |',
  '{ rest of the code unchanged }',
  '\\ existing code unchanged',
  '.. existing code unchanged',
  '-- reads the rest of the file, then closes it',
  '; other sections follow',
];

test.each(MEANT)('the line %s is meant as it is written', (line) => {
  for (const name of ['a.ts', 'a.py', 'a.sql']) expect(elisionIn({ name, before: OLD, after: longer(line) })).toBeUndefined();
});

const SHORT = [
  'existing imports',
  'Existing JSX',
  'your existing code',
  'rest of your code',
  'The rest of the page',
  'rest of this component',
  'keep the rest as is',
  'Leave everything else unchanged.',
];

test.each(Object.entries(LANGUAGES))(
  'the shortest comments count in %s where they are whole, and not as parts of longer ones',
  (_language, [name, comment]) => {
    for (const words of SHORT) {
      const line = comment(words);
      expect(elisionIn({ name, before: OLD, after: longer(line) }), line).toEqual({ line: 2, text: line.trim() });
      expect(elisionIn({ name, before: `${line}\n`, after: longer(line) }), line).toBeUndefined();
      for (const text of [`${comment('What is found is told of the')}\n${line}`, `${line}\n${comment('is what is left.')}`])
        expect(elisionIn({ name, before: OLD, after: longer(text) }), text).toBeUndefined();
    }
  },
);

test('such a comment within a line of code, or in place of a body, counts as well; at its end, if it says what is kept, or the text gets shorter', () => {
  const phrases = ['... existing code ...', '… rest of the file …', '... unchanged ...', '... other methods ...'];
  const within: Readonly<Record<string, (words: string) => string>> = {
    'a.ts': (words) => `function run() { /* ${words} */ }`,
    'a.tsx': (words) => `<main>{/* ${words} */}</main>`,
    'a.html': (words) => `<ul><!-- ${words} --></ul>`,
    'a.css': (words) => `.box { /* ${words} */ }`,
  };
  for (const [name, line] of Object.entries(within)) {
    for (const phrase of phrases) expect(elisionIn({ name, before: '', after: `first\n${line(phrase)}\n` }), line(phrase)).toMatchObject({ line: 2 });
  }
  const behind: Readonly<Record<string, (words: string) => string>> = {
    'a.ts': (words) => `run(); // ${words}`,
    'a.py': (words) => `    pass  # ${words}`,
    'a.sql': (words) => `SELECT 1; -- ${words}`,
  };
  for (const [name, line] of Object.entries(behind)) {
    for (const phrase of phrases)
      expect(elisionIn({ name, before: 'a\nb\nc\nd\n', after: `first\n${line(phrase)}\n` }), line(phrase)).toMatchObject({ line: 2 });
  }
  for (const line of ['foo(); // ... existing code ...', '}  // ... rest of file unchanged ...', '} // … other methods …', 'pass  # ... existing code ...']) {
    expect(elisionIn({ name: 'a.ts', before: OLD, after: longer(line) }), line).toEqual({ line: 2, text: line });
  }
  expect(elisionIn({ name: 'a.ts', before: '', after: 'constructor() { /* unchanged */ }' })).toMatchObject({ line: 1 });
  for (const code of [
    'const url = "https://a.example/..."; // more of the same...',
    'f(...rest); // the rest',
    'const all = [...rest, ...other];',
    'function run() { /* nothing to do */ }',
    'x = 1  # see the other function ...',
    "log('// ... existing code ...');",
  ]) {
    expect(elisionIn({ name: 'a.ts', before: '', after: code }), code).toBeUndefined();
  }
});

test.each(Object.entries(LANGUAGES))(
  'where the text gets shorter, it is found in fewer words, and a rule of dots is none, in %s',
  (_language, [name, comment]) => {
    const shorter = (words: string): unknown => elisionIn({ name, before: 'a\nb\nc\nd\ne\n', after: `a\n${comment(words)}\n` });
    for (const words of [
      'The rest is the same',
      'rest stays unchanged',
      'No changes below this line',
      'No further changes above',
      '... remaining commands',
      '...other services',
      '… existing JSX',
    ])
      expect(shorter(words), words).toMatchObject({ line: 2 });
    for (const words of ['.'.repeat(60), '....... ', 'The rest is easy', 'No changes of the state happen below', '...and then'])
      expect(shorter(words), words).toBeUndefined();
  },
);

test('where the text gets shorter, dots alone and any words between dots do', () => {
  const shorter = (name: string, line: string): unknown => elisionIn({ name, before: 'a\nb\nc\nd\n', after: `a\n${line}\n` });
  for (const line of [
    '...',
    '  …',
    'function run() { ... }',
    '// ... restlicher Inhalt bleibt so ...',
    '// ... 其余代码保持不变 ...',
    '// Everything else stays the same',
    '// Lines 10-50 unchanged',
    '// [snip]',
    'function run() { /* ... */ }',
  ])
    expect(shorter('a.ts', line), line).toMatchObject({ line: 2 });
  expect(shorter('a.py', '    ...')).toBeUndefined();
  expect(shorter('a.pl', 'sub run { ... }')).toBeUndefined();
  // An example in documentation.
  expect(shorter('a.ts', ' *   // ...')).toBeUndefined();
});

test('prose may quote such lines, have them as headings, and go on with dots', () => {
  const quoted = ['```ts\n// ... existing code ...\n```', '~~~\n... rest of the file ...\n~~~'];
  for (const text of [...quoted, '# Existing code ...', '## Rest of the file unchanged', '... and so it ends', '* other methods ...']) {
    expect(elisionIn({ name: 'README.md', before: '', after: text }), text).toBeUndefined();
  }
  expect(elisionIn({ name: 'README.md', before: '', after: '```\ncode\n```\n[... rest of the document unchanged ...]\n' })).toMatchObject({ line: 4 });
});

/** Files whose lines only look so: they are about such lines. */
const ABOUT_IT = ['src/tool/editing/elision.ts', 'test/unit/tool/write.test.ts', 'test/unit/tool/editing/elision.test.ts'];

/** Those of others are long: where not all runs are wanted, one of them is looked at. */
const FOLDERS = [
  ...['src', 'test', 'webview', 'scripts', 'docs', 'l10n', 'media', 'node_modules/type-fest/source'],
  ...(ALL_RUNS ? ['node_modules/zod/src', 'node_modules/@types', 'node_modules/typescript/lib'] : []),
];

inSoak('unit/tool/editing/elision.test.ts')('nothing in this project and in declarations of others looks like one', async () => {
  const found: string[] = [];
  let lines = 0;
  for (const folder of FOLDERS) {
    const names = (await readdir(folder, { recursive: true })).filter(
      (name) => /\.(?:[cm]?ts|[cm]?js|tsx|svelte|css|md|json|sh|py|html|ya?ml)$/.test(name) && !/^_?tsc?(?:server\w*)?\.js$|^typescript\.js$/.test(name),
    );
    for (const name of names) {
      const path = join(folder, name).replaceAll('\\', '/');
      const text = await readFile(path, 'utf8');
      lines += text.split('\n').length;
      if (elisionIn({ name: path, before: '', after: text }) !== undefined) found.push(path);
    }
  }
  process.stdout.write(`lines that look as if they stood for text left out: ${found.length} files of ${lines} lines\n`);
  // The documentation of a type shows a class in which methods are left out.
  expect(found.filter((path) => !ABOUT_IT.includes(path))).toEqual(['node_modules/type-fest/source/is-unknown.d.ts']);
});
