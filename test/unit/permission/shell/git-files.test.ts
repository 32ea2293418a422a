import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { filesOf, loadAnalyzer, PLACE } from './rig.js';

const analyzer = await loadAnalyzer();

/** Placeholders for which Git opens a file or folder of that name. */
const OPENED = /<(?:file|path|dir|directory|template-directory|gitdir|repo|repository|index-file|outfile|socket|logfile)>/;
/**
 * Options with such a placeholder that open none: what they do with the text, from the manual of the subcommand. Those that name a
 * repository or a program at the other end are doubts of their own.
 */
const NAMES_ONLY: Readonly<Record<string, string>> = {
  'apply --exclude': 'a pattern for names in the patch',
  'apply --include': 'a pattern for names in the patch',
  'am --exclude': 'a pattern for names in the patch',
  'am --include': 'a pattern for names in the patch',
  'archive --remote': 'a repository',
  'push --repo': 'a repository',
  'clone --upload-pack': 'a program',
  'clone -u': 'a program',
  'fetch --upload-pack': 'a program',
  'pull --upload-pack': 'a program',
  'hash-object --path': 'a name that the attributes of a file are looked up with',
  'ls-files --exclude-per-directory': 'the name of files in every folder, with patterns, of which nothing is shown',
  'range-diff --rotate-to': 'a name in the difference',
  'range-diff --skip-to': 'a name in the difference',
};

interface Option {
  readonly command: string;
  readonly spellings: readonly string[];
  readonly placeholder: string;
}

/** All options with a value in what the installed Git says of its subcommands, with all their spellings. */
function usage(): readonly Option[] {
  const commands = execFileSync('git', ['--list-cmds=builtins'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && !name.includes('--'));
  return commands.flatMap((command) => {
    const { stdout, stderr } = spawnSync('git', [command, '-h'], { encoding: 'utf8' });
    return [...`${stdout}${stderr}`.matchAll(/^\s+(-\S.*?)(?:\s{2,}.*)?$/gm)].flatMap(([, head = '']) => {
      const placeholder = /<[^>]*>/.exec(head)?.[0];
      return placeholder === undefined ? [] : [{ command, spellings: head.match(/(?<![\w-])--?[\w-]+?(?=[\s,=[<]|$)/g) ?? [], placeholder }];
    });
  });
}

let options: readonly Option[] = [];
beforeAll(() => {
  options = usage();
});

/** The spellings of an option with a file. */
function spellings(option: string, file: string): readonly string[] {
  if (!option.startsWith('--')) return [`${option} ${file}`, `${option}${file}`, `${option} '${file}'`, `-q${option.slice(1)} ${file}`];
  return [`${option} ${file}`, `${option}=${file}`, `${option}="${file}"`, `${option.slice(0, -1)}=${file}`, `${option.slice(0, -1)} ${file}`];
}

const CANARIES = ['/home/user/.ssh/id_rsa', '/elsewhere/notes.txt'];

test('a file that any option of Git names is found, in every spelling of the option', () => {
  expect(options.length).toBeGreaterThan(300);
  const opening = options.filter(({ placeholder }) => OPENED.test(placeholder));
  expect(opening.length).toBeGreaterThan(60);
  const missed: string[] = [];
  for (const { command, spellings: names } of opening) {
    for (const name of names) {
      if (NAMES_ONLY[`${command} ${name}`] !== undefined) continue;
      for (const file of CANARIES) {
        const lines = spellings(name, file).map((option) => `git ${command} ${option} x`);
        missed.push(...lines.filter((line) => !filesOf(analyzer.analyze(line, PLACE)).some((found) => found.endsWith(` ${file}`))));
      }
    }
  }
  expect(missed).toEqual([]);
});

test.each([
  ...[
    'git apply FILE',
    'git am FILE',
    'git hash-object -w FILE',
    'git hash-object -- FILE',
    'git diff --no-index FILE /dev/null',
    'git diff --no-ind a FILE',
    'git merge-file -p FILE b c',
    'git bundle verify FILE',
  ],
  ...[
    'git interpret-trailers FILE',
    'git send-email FILE',
    'git mailsplit -oout FILE',
    'git config -f FILE --list',
    'git config --file=FILE --get a.b',
    'git log -OFILE',
    'git diff -O FILE',
    'git credential-store --file FILE get',
  ],
  ...[
    'git commit -m x -F FILE',
    'git commit -amx -tFILE',
    'git -c a.b=c commit --template FILE',
    'git -C . tag --fil FILE t',
    'git notes add -f -F FILE',
    'git blame --contents FILE a',
    'git ls-files -X FILE',
    'git grep -f FILE',
  ],
  ...[
    'git log --output FILE',
    'git archive -o FILE HEAD',
    'git archive --add-file FILE HEAD',
    'git format-patch -o FILE -1',
    'git bundle create FILE HEAD',
    'git fast-export --export-marks=FILE HEAD',
  ],
])('the file of %j is found, outside the workspace as well', (line) => {
  for (const file of CANARIES) expect(filesOf(analyzer.analyze(line.replace('FILE', file), PLACE)).map((use) => use.replace(/^\w+ /, ''))).toContain(file);
});

test.each([
  'git commit -m "see /home/user/.ssh/id_rsa"',
  'git commit --message="see /home/user/.ssh/id_rsa"',
  'git commit -am /home/user/.ssh/id_rsa',
  'git tag -m /home/user/.ssh/id_rsa v1',
  'git log --grep /home/user/.ssh/id_rsa',
  'git log --author=/home/user/.ssh/id_rsa',
  'git stash push -m /home/user/.ssh/id_rsa',
])('a text that Git only stores or compares names no file: %j', (line) => {
  expect(filesOf(analyzer.analyze(line, PLACE))).not.toContain('read /home/user/.ssh/id_rsa');
});

test.each(['git log -m -p HEAD:.env', 'git branch -m .env', 'git rebase -m .env', 'git show -m .env', 'git commit -m x -- -m .env', 'git log -- --grep .env'])(
  'where -m takes no message, what follows counts: %j',
  (line) => {
    expect(filesOf(analyzer.analyze(line, PLACE))).toContain('read /ws/.env');
  },
);
