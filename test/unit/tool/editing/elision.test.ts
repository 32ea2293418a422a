import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elisionIn } from '../../../../src/tool/editing/elision.js';

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
};

/** What models write in place of what they leave out; `…` is tried for every `...`. */
const WORDINGS = [
  '... existing code ...', '...existing code...', '... rest of the file ...', '... rest of file unchanged ...',
  '... (rest of the code remains unchanged) ...', '... keep existing code ...', '... other methods ...',
  '... previous code ...', '... unchanged ...', '... same as before ...', '... remaining methods unchanged ...', '... existing code here ...',
  '... omitted for brevity ...', '... existing UserService methods ...',
  '... imports remain the same ...', '... all other functions remain unchanged ...', '... rest of your code ...', '... no changes here ...',
  '... lines 10-50 unchanged ...', '... rest of handleSubmit ...', '... other imports',
  '... existing code', '...rest of the implementation', '... (unchanged)', 'existing imports ...', 'rest of the code...', 'remaining functions ...',
  '[existing code]', '(rest of file unchanged)', 'rest of the file unchanged',
  'rest of file unchanged', 'The rest of the code remains the same', 'existing code unchanged', 'existing code here', 'remaining code unchanged',
  'all other methods stay as is', 'other imports remain unchanged',
  'code omitted for brevity', 'keep the rest of the file as is', 'previous implementation goes here',
];

const OLD = 'import a from "a";\nconst one = 1;\nconst two = 2;\n';
/** More lines than there were. */
const longer = (line: string): string => `const zero = 0;\n${line}\n${'const more = 1;\n'.repeat(20)}`;

function spellings(words: string): readonly string[] {
  return [words, words.replaceAll('...', '…'), words.toUpperCase(), words.replaceAll('...', '....')];
}

test.each(Object.entries(LANGUAGES))('a line of omission in %s is found, whatever the length of the text', (_language, [name, comment]) => {
  for (const words of WORDINGS.flatMap(spellings)) {
    const line = comment(words);
    expect(elisionIn({ name, before: OLD, after: longer(line) }), line).toEqual({ line: 2, text: line.trim() });
    expect(elisionIn({ name, before: `${OLD}${line.trim()}\n`, after: longer(line) }), line).toBeUndefined();
  }
});

const BARE = ['... existing code ...', '... rest of the file ...', '… other methods …', '[rest of file unchanged]', '[... same code ...]', '(code is unchanged)'];

test.each(BARE)('without a comment around it, %s is found', (line) => {
  expect(elisionIn({ name: 'a.ts', before: OLD, after: longer(line) })).toEqual({ line: 2, text: line });
});

/** Lines that say what they mean. */
const MEANT: readonly string[] = [
  '...args', '  ...rest,', '...existing,', '...other', '...previous, value', 'const all = [...existing, ...other];', 'f(...args);',
  'function f(...rest: string[]) {', '{ ...original }', '[...same]', '    ...', '...', '…', 'def f(self): ...',
  '# ...', '// ...', '/* ... */', '// Loading the file...', '# Reading the existing code...and more of it', '// Saving content ...',
  '// TODO: the rest of the handlers', '// returns the previous value', '// the rest is history', '// ...and then some, with care',
  '// Keep the original order', '// other platforms', '// same for the left side', '// unchanged', '// No changes needed',
  '# Existing users keep their settings', '# --- Helper functions ---', '// ---- other methods ----', '// rest parameters',
  '// The rest of the arguments',
  '"existing code"', "'rest of file unchanged',", 'print("... rest of the file ...")', '[unchanged]', '{ existing, options }', '(other)',
  '[previous, value]', '* unchanged since 2019, do not touch without asking', ' * ...rest of the options', '"...": "existing"',
  '<Other content />', 'rest of the file unchanged', 'The existing code stays the same.', 'case "same": // unchanged',
  'foo(); // ... existing code ...', '-- reads the rest of the file, then closes it', '; other sections follow',
];

test.each(MEANT)('the line %s is meant as it is written', (line) => {
  for (const name of ['a.ts', 'a.py', 'a.sql']) expect(elisionIn({ name, before: OLD, after: longer(line) })).toBeUndefined();
});

test('such a comment within a line of code, or in place of a body, counts as well; at its end, where the text gets shorter', () => {
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
  const behind: Readonly<Record<string, (words: string) => string>> = { 'a.ts': (words) => `run(); // ${words}`, 'a.py': (words) => `    pass  # ${words}`, 'a.sql': (words) => `SELECT 1; -- ${words}` };
  for (const [name, line] of Object.entries(behind)) {
    for (const phrase of phrases) expect(elisionIn({ name, before: 'a\nb\nc\nd\n', after: `first\n${line(phrase)}\n` }), line(phrase)).toMatchObject({ line: 2 });
  }
  expect(elisionIn({ name: 'a.ts', before: '', after: 'constructor() { /* unchanged */ }' })).toMatchObject({ line: 1 });
  for (const code of ['const url = "https://a.example/..."; // more of the same...', 'f(...rest); // the rest', 'const all = [...rest, ...other];', 'function run() { /* nothing to do */ }', 'x = 1  # see the other function ...', "log('// ... existing code ...');"]) {
    expect(elisionIn({ name: 'a.ts', before: '', after: code }), code).toBeUndefined();
  }
});

test('where the text gets shorter, dots alone and any words between dots do', () => {
  const shorter = (name: string, line: string): unknown => elisionIn({ name, before: 'a\nb\nc\nd\n', after: `a\n${line}\n` });
  for (const line of ['...', '  …', 'function run() { ... }', '// ... restlicher Inhalt bleibt so ...', '// ... 其余代码保持不变 ...', '// Everything else stays the same', '// Lines 10-50 unchanged', '// [snip]', 'function run() { /* ... */ }']) expect(shorter('a.ts', line), line).toMatchObject({ line: 2 });
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

test('nothing in this project looks like one', async () => {
  const found: string[] = [];
  for (const folder of ['src', 'test/unit/engine', 'test/unit/tool', 'webview', 'scripts', 'docs', 'node_modules/zod/src', 'node_modules/type-fest/source']) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:[cm]?[jt]s|tsx|svelte|css|md|json)$/.test(name));
    for (const name of names) {
      const path = join(folder, name).replaceAll('\\', '/');
      if (elisionIn({ name: path, before: '', after: await readFile(path, 'utf8') }) !== undefined) found.push(path);
    }
  }
  // The documentation of a type shows a class in which methods are left out.
  expect(found.filter((path) => !ABOUT_IT.includes(path))).toEqual(['node_modules/type-fest/source/is-unknown.d.ts']);
});
