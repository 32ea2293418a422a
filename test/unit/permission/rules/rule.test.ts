import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SimpleCommand } from '../../../../src/domain/tool/command-analysis.js';
import { allowsCommand, escapeCommand, restrictsCommand } from '../../../../src/permission/rules/command-pattern.js';
import { exactRule, prefixRule } from '../../../../src/permission/rules/command-rule.js';
import { type Rule, isRule, MAX_RULE_CHARACTERS, parseRule } from '../../../../src/permission/rules/rule.js';
import { ruleProblems } from '../../../../src/permission/rules/rule-set.js';
import { anyCharacter } from '../../../support/any-character.js';
import { HARD_COMMAND, HARD_PREFIX, HARD_RULES } from '../../../support/worst-inputs.js';
import { ruleOf } from '../rig.js';

const exact = (text: string): Rule => ({ about: 'command', pattern: { kind: 'exact', text } });
const prefix = (text: string): Rule => ({ about: 'command', pattern: { kind: 'prefix', text } });

const READABLE: readonly (readonly [string, Rule])[] = [
  ['Bash', { about: 'command' }],
  ['Bash(*)', { about: 'command' }],
  ['bash', { about: 'command' }],
  ['Bash(npm test)', exact('npm test')],
  ['Bash(npm test:*)', prefix('npm test')],
  ['Bash(npm run *)', prefix('npm run')],
  ['  Bash( npm test:* )  ', prefix('npm test')],
  ['Bash(ls \\*.ts)', exact('ls *.ts')],
  ['Bash(echo "(a)")', exact('echo "(a)"')],
  ['Bash(a::*)', prefix('a:')],
  ['Bash(npm run test:unit:*)', prefix('npm run test:unit')],
  ['Read', { about: 'read' }],
  ['Read(.env)', { about: 'read', pattern: '.env' }],
  ['apply_patch(src/**)', { about: 'edit', pattern: 'src/**' }],
  ['Read(~/.ssh/**)', { about: 'read', pattern: '~/.ssh/**' }],
  ['Grep(src/**)', { about: 'read', pattern: 'src/**' }],
  ['LS(//etc)', { about: 'read', pattern: '//etc' }],
  ['Grep', { about: 'tool', name: 'grep' }],
  ['Edit(/src/**/*.ts)', { about: 'edit', pattern: '/src/**/*.ts' }],
  ['Write(a)', { about: 'edit', pattern: 'a' }],
  ['MultiEdit(a)', { about: 'edit', pattern: 'a' }],
  ['NotebookEdit(a)', { about: 'edit', pattern: 'a' }],
  ['Edit(app/(group)/\\[slug\\]/page.ts)', { about: 'edit', pattern: 'app/(group)/\\[slug\\]/page.ts' }],
  ['WebFetch', { about: 'web' }],
  ['WebSearch', { about: 'tool', name: 'web_search' }],
  ['web_search', { about: 'tool', name: 'web_search' }],
  ['WebFetch(domain:Example.com)', { about: 'web', pattern: { host: 'example.com', below: false } }],
  ['WebFetch(domain:*.example.com)', { about: 'web', pattern: { host: 'example.com', below: true } }],
  ['WebFetch(domain:bücher.example)', { about: 'web', pattern: { host: 'xn--bcher-kva.example', below: false } }],
  ['fetch(domain:localhost)', { about: 'web', pattern: { host: 'localhost', below: false } }],
  ['diagnostics', { about: 'tool', name: 'diagnostics' }],
  ['todo(*)', { about: 'tool', name: 'todo' }],
  ['mcp__db__query', { about: 'tool', name: 'mcp__db__query' }],
  ['mcp__db', { about: 'tool', name: 'mcp__db__*' }],
  ['mcp__db__*', { about: 'tool', name: 'mcp__db__*' }],
  ['ext__acme_word-counter__count_words', { about: 'tool', name: 'ext__acme_word-counter__count_words' }],
  ['ext__acme_word-counter', { about: 'tool', name: 'ext__acme_word-counter__*' }],
];

const UNREADABLE: readonly (readonly [string, RegExp])[] = [
  ['', /empty/],
  ['*', /start with a tool name/],
  ['/^(a+)+$/', /start with a tool name/],
  ['Bash(/^(a+)+$/)', /Regular expressions/],
  ['Bassh(npm test)', /start with a tool name/],
  ['toString', /start with a tool name/],
  ['__proto__', /start with a tool name/],
  ['npm test', /start with a tool name/],
  ['WebSearch(x)', /do not take a pattern/],
  ['WebSearches', /start with a tool name/],
  ['Bash(npm test', /in parentheses/],
  ['Bash npm test', /in parentheses/],
  ['Bash(npm test))', /unbalanced/],
  ['Bash())(', /in parentheses/],
  ['Bash(a)b)', /unbalanced/],
  ['Bash()', /parentheses are empty/],
  ['Bash(:*)', /command prefix must precede/],
  ['Bash(**)', /nothing but \*/],
  ['Bash(* *)', /nothing but \*/],
  ['Bash(ls\ntouch PWN)', /single line/],
  ['Bash(ls\u0000)', /single line/],
  ['Read(!x)', /opposite effect/],
  ['Read(../x)', /\.\./],
  ['Read($HOME/x)', /Variables are not supported/],
  ['Read(%APPDATA%\\x)', /Variables are not supported/],
  ['Read(~root/x)', /your own home/],
  ['Read(C:\\x)', /drive/],
  ['Read(*.{ts,js})', /one rule for each/],
  ['Read(x\\)', /backslash/],
  ['WebFetch(example.com)', /domain:/],
  ['WebFetch(domain:)', /domain:/],
  ['WebFetch(domain:a.*.com)', /domain:/],
  ['WebFetch(domain:https://x)', /domain:/],
  ['WebFetch(domain:x:80)', /domain:/],
  ['WebFetch(domain:a@b)', /domain:/],
  ['todo(x)', /do not take a pattern/],
  ['mcp__', /start with a tool name/],
  ['ext__', /start with a tool name/],
  ['ext__a.b', /ext__a can only be followed by/],
  ['mcp__db__q(x)', /do not take a pattern/],
  [`Bash(${'a'.repeat(MAX_RULE_CHARACTERS)})`, /longer than/],
];

describe('the syntax of rules', () => {
  test.each(READABLE)('%j can be read', (text, expected) => {
    expect(parseRule(text)).toEqual(expected);
    expect(ruleProblems([{ effect: 'deny', text, scope: 'user' }])).toEqual([]);
  });

  test.each(UNREADABLE)('cmd-33 conf-23: %j is refused, saying why', (text, why) => {
    const parsed = parseRule(text);
    expect(isRule(parsed) ? undefined : parsed.problem).toMatch(why);
  });

  test('any text at all is read or refused', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => isRule(parseRule(text)) || !isRule(parseRule(text))));
    fc.assert(fc.property(fc.string(), (text) => 'about' in parseRule(`Bash(${text})`) || text !== 'a'));
  });

  test('conf-23: a problem names the rule and where it is kept', () => {
    const [problem, ...others] = ruleProblems([ruleOf('workspace deny Bassh(rm:*)'), ruleOf('allow Bash(ls:*)'), ruleOf('allow *')]);
    expect(problem).toMatch(/^The deny rule Bassh\(rm:\*\) in the workspace settings is invalid\. The rule does not start with a tool name/);
    expect(others).toHaveLength(1);
  });

  test('cmd-33: hostile rules are read or refused', () => {
    for (const [text, readable] of HARD_RULES) expect(isRule(parseRule(text))).toBe(readable);
  });
});

describe('commands and rules', () => {
  const command = (...words: readonly (string | undefined)[]): SimpleCommand => ({
    source: words.map((word) => word ?? '$X').join(' '),
    words,
    readsOnly: false,
    doubts: [],
  });
  const pattern = (text: string) => {
    const rule = parseRule(`Bash(${text})`);
    if (!isRule(rule) || rule.about !== 'command' || rule.pattern === undefined) throw new Error(text);
    return rule.pattern;
  };

  test('cmd-33: a rule that begins like a command of thousands of words holds it back only when it goes on like it', () => {
    expect(restrictsCommand(pattern(`${HARD_PREFIX} b:*`), HARD_COMMAND, (name) => name)).toBe('no');
    expect(restrictsCommand(pattern(`${HARD_PREFIX} a!:*`), HARD_COMMAND, (name) => name)).toBe('yes');
  });

  test.each<[string, readonly (string | undefined)[], boolean]>([
    ['npm test:*', ['npm', 'test'], true],
    ['npm test:*', ['npm', 'test', '--', 'x'], true],
    ['npm test:*', ['npm', 'tests'], false],
    ['npm test:*', ['npm'], false],
    ['npm test:*', ['npm test'], false],
    ['npm test:*', ['./npm', 'test'], false],
    ['npm test:*', ['/tmp/evil/npm', 'test'], false],
    ['npm test:*', ['NPM', 'test'], false],
    ['npm test:*', ['npm', undefined], false],
    ['npm test:*', [undefined, 'test'], false],
    ['ls:*', ['lsof'], false],
    ['git show:*', ['git', 'showx'], false],
    ['git show:*', ['git', '-c', 'a=b', 'show'], false],
    ['npm test', ['npm', 'test'], true],
    ['npm test', ['npm', 'test', 'x'], false],
  ])('cmd-31: whether Bash(%s) allows %j: %j', (text, words, expected) => {
    expect(allowsCommand(pattern(text), command(...words))).toBe(expected);
  });

  test.each<[string, readonly (string | undefined)[], string]>([
    ['curl:*', ['curl', 'x'], 'yes'],
    ['curl:*', ['/usr/bin/curl', 'x'], 'yes'],
    ['curl:*', ['C:\\bin\\curl.exe', 'x'], 'yes'],
    ['curl:*', ['curlx'], 'no'],
    ['curl:*', [undefined, 'x'], 'maybe'],
    ['curl:*', ['echo', undefined], 'no'],
    ['git push:*', ['git', 'push', 'origin'], 'yes'],
    ['git push:*', ['git', '-C', 'x', 'push'], 'maybe'],
    ['git push:*', ['git', '-C', 'x', '-c', 'a=b', 'push', '-f'], 'maybe'],
    ['git push:*', ['git', undefined], 'maybe'],
    ['git push:*', ['git', '-c', undefined, 'push'], 'maybe'],
    ['git push:*', ['git', 'commit', '-m', 'push'], 'no'],
    ['git push:*', ['git'], 'no'],
    ['git push:*', ['git', 'log', '--', 'push'], 'no'],
    ['rm -rf /', ['rm', '-rf', '/'], 'yes'],
    ['rm -rf /', ['rm', '-rf', '/x'], 'no'],
    ['rm -rf /', ['rm', undefined], 'maybe'],
  ])('cmd-06 cmd-24: whether deny Bash(%s) is about %j: %s', (text, words, expected) => {
    expect(restrictsCommand(pattern(text), command(...words), (name) => name)).toBe(expected);
  });

  test('cmd-31: the rule for exactly a text is about nothing else', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*', '\\', ':', '(', ')', '$', '"', "'", '\n') });
    fc.assert(
      fc.property(line, line, (text, other) => {
        const rule = exactRule(text);
        const parsed = rule === undefined ? undefined : parseRule(rule);
        if (parsed === undefined || !isRule(parsed) || parsed.about !== 'command' || parsed.pattern === undefined) return;
        expect(parsed.pattern).toEqual({ kind: 'exact', text: text.trim() });
        expect(allowsCommand(parsed.pattern, { source: other, words: other.split(' '), readsOnly: false, doubts: [] })).toBe(other.trim() === text.trim());
      }),
    );
    expect(escapeCommand('rm *')).toBe('rm \\*');
  });

  test.each<[string, string | undefined]>([
    ['npm test', 'Bash(npm test:*)'],
    ['npm run build -- --watch', 'Bash(npm run build:*)'],
    ['npm run test:unit', 'Bash(npm run test:unit:*)'],
    ['git push origin', 'Bash(git push:*)'],
    ['git stash push -m x', 'Bash(git stash push:*)'],
    ['npx tsc -p .', 'Bash(npx tsc:*)'],
    ['tsc --noEmit', 'Bash(tsc:*)'],
    ['eslint src/a.ts', 'Bash(eslint:*)'],
    ['cargo test', 'Bash(cargo test:*)'],
    ['make build', 'Bash(make build:*)'],
    ['python3.12 -m pytest -q', 'Bash(python3.12 -m pytest:*)'],
    ...[
      'python x.py a',
      'node scripts/x.mjs',
      './scripts/x.sh',
      'elixir x.exs',
      'psql -c x',
      'cross-env A=1 b',
      'yarn node x.js',
      'gcc a.c',
      'cmake .',
      'go env -w A=b',
      'aws s3 ls',
    ].map((line): [string, undefined] => [line, undefined]),
    ['git', undefined],
    ['git --version', undefined],
    ['git -C x push', undefined],
    ['git reset --hard', undefined],
    ['git config x y', undefined],
    ['npm install x', undefined],
    ['npx --yes x', undefined],
    ['make', undefined],
    ['python', undefined],
    ['python -c x', undefined],
    ['node -e x', undefined],
    ['bash x.sh', undefined],
    ['sudo ls', undefined],
    ['/usr/bin/curl x', undefined],
    ['rm -rf x', undefined],
    ['xargs npm', undefined],
    ['env npm test', undefined],
    ['touch x', undefined],
  ])('the rule proposed for %j is %j', (text, expected) => {
    expect(prefixRule(command(...text.split(' ')))).toBe(expected);
  });

  test('a word that only running tells is never part of a proposed rule', () => {
    expect(prefixRule(command(undefined, 'x'))).toBeUndefined();
    expect(prefixRule(command('npm', undefined))).toBeUndefined();
    expect(prefixRule(command('npm', 'run', undefined))).toBeUndefined();
    expect(prefixRule(command('my tool', 'x'))).toBeUndefined();
  });
});
