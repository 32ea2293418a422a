import { expect, test } from 'vitest';
import { doubtsOf, filesOf, isHarmless, linesOf, loadAnalyzer, PLACE } from './rig.js';
import { says } from '../../../support/wording.js';

const analyzer = await loadAnalyzer();
const files = (line: string): readonly string[] => filesOf(analyzer.analyze(line, PLACE));

test.each([
  ['ls > f', ['write /ws/f', 'read /ws']],
  ['ls 2>&1 >> f', ['write /ws/f', 'read /ws']],
  ['cat < a > b', ['read /ws/a', 'write /ws/b']],
  ['ls >& f', ['write /ws/f', 'read /ws']],
  ['echo > /dev/null', []],
  ['echo 2> /dev/stderr > /dev/fd/2', []],
  ['cat < /dev/stdin', []],
  ['cat - /dev/null', []],
  ['echo 3>&1 4<&0 >&- 2>&1-', []],
  ['cat < /dev/zero', ['read /dev/zero']],
  ['echo x > "a b"', ['write /ws/a b']],
  ["echo x > a'b'\\ c", ['write /ws/ab c']],
  ['a | b > f', ['write /ws/f']],
  ['a && b > f && c', ['write /ws/f']],
  ['echo a > f b > g', ['write /ws/f', 'write /ws/g']],
  ['cat <<< f', []],
  ['cat <<EOF > f\na\nEOF', ['write /ws/f']],
  ['cat > f <<EOF | cat > g\na\nEOF', ['write /ws/f', 'write /ws/g']],
  ['{ ls a; } < b', ['read /ws/b', 'read /ws/a']],
  ['while true; do cat a; done < b', ['read /ws/b', 'read /ws/a']],
])('redirections: the files of %j', (line, expected) => {
  expect(files(line)).toEqual(expected);
});

test.each([
  ['cat a b', ['read /ws/a', 'read /ws/b']],
  ['cat -- -n', ['read /ws/-n']],
  ['head -n 5 a', ['read /ws/a']],
  ['head -5 a', ['read /ws/a']],
  ['grep x', []],
  ['grep -r x', ['read /ws']],
  ['grep -rn x src', ['read /ws/src']],
  ['grep -e x a', ['read /ws/a']],
  ['grep x /etc/passwd', ['read /etc/passwd']],
  ['rg x', ['read /ws']],
  ['rg x src lib', ['read /ws/src', 'read /ws/lib']],
  ['ls', ['read /ws']],
  ['ls /', ['read /']],
  ['find', ['read /ws']],
  ['find src lib -name x', ['read /ws/src', 'read /ws/lib']],
  ["sed -n -e '1p' -e '3p' a b", ['read /ws/a', 'read /ws/b']],
  ['cat /ws//a/./b/', ['read /ws/a/b']],
  ['cat sub/*.ts', ['read /ws/sub', 'read /ws/sub (*.ts)']],
  ['cat *', ['read /ws', 'read /ws (*)']],
  ['echo /etc/*', ['read /etc', 'read /etc (*)']],
  ['cat /etc/pass[w]d', ['read /etc', 'read /etc (pass[w]d)']],
  ['cat src/{a,b}.ts', ['read /ws/src/a.ts', 'read /ws/src/b.ts']],
  ["cat '{a,b}' {c} {d,{e,f}g}", ['read /ws/{a,b}', 'read /ws/{c}', 'read /ws/d', 'read /ws/eg', 'read /ws/fg']],
  ['cat ~/.ss{h,x}/id', ['read /home/user/.ssh/id', 'read /home/user/.ssx/id']],
  ['cat "a*"', ['read /ws/a*']],
  ['[ -f a ]', ['read /ws/a']],
  ['test a -nt b', ['read /ws/a', 'read /ws/b']],
  ['[[ -e a && b -ot c ]]', ['read /ws/a', 'read /ws/b', 'read /ws/c']],
  ['git blame -L 1,5 src/a.ts', ['read /ws/src/a.ts']],
  ['git show HEAD:./src/a.ts', ['read /ws/src/a.ts']],
  ['git show :a', ['read /ws/a']],
])('operands: the files of %j', (line, expected) => {
  expect(files(line)).toEqual(expected);
});

test.each([
  ['cat ../x', ['read /x', 'read /ws']],
  ['cat link/../x', ['read /ws/x', 'read /ws/link']],
  ['cat a/b/../../../x', ['read /x', 'read /ws/a/b', 'read /ws/a', 'read /ws']],
  ['cat /a/../x', ['read /x', 'read /a']],
  ['cd link && cat ../x', ['read /ws/link', 'read /ws/x']],
])('a folder that %j leaves is judged too, for it may be a link', (line, expected) => {
  expect(files(line)).toEqual(expected);
});

test.each([
  ['cd a && cat f', ['read /ws/a', 'read /ws/a/f']],
  ['cd a; cat f', ['read /ws/a', 'read /ws/a/f', 'read /ws/f']],
  ['cd a || cat f', ['read /ws/a', 'read /ws/f']],
  ['! cd a && cat f', ['read /ws/a', 'read /ws/f']],
  ['(cd a); cat f', ['read /ws/a', 'read /ws/f']],
  ['(cd a && cat f)', ['read /ws/a', 'read /ws/a/f']],
  ['{ cd a && cat f; }', ['read /ws/a', 'read /ws/a/f']],
  ['cd a | cat f', ['read /ws/a', 'read /ws/f']],
  ['cd a & cat f', ['read /ws/a', 'read /ws/f']],
  ['echo $(cd a && cat f); cat g', ['read /ws/a', 'read /ws/a/f', 'read /ws/g']],
  ['cd a && cd b && cat f', ['read /ws/a', 'read /ws/a/b', 'read /ws/a/b/f']],
  ['cd a && cd /b && cat f', ['read /ws/a', 'read /b', 'read /b/f']],
  ['cd && cat f', ['read /home/user/f']],
  ['cd ~ && cat f', ['read /home/user', 'read /home/user/f']],
  ['cd -- a && cat f', ['read /ws/a', 'read /ws/a/f']],
  ['cd -L a && cat f', ['read /ws/a', 'read /ws/a/f']],
  ['command cd a && cat f', ['read /ws/a', 'read /ws/a/f']],
  ['env cd a && cat f', ['read /ws/a', 'read /ws/f']],
  ["sh -c 'cd a && cat f' && cat g", ['read /ws/a', 'read /ws/a/f', 'read /ws/g']],
  ['if cd a; then cat f; else cat g; fi', ['read /ws/a', 'read /ws/a/f', 'read /ws/g']],
  ['if cd a; then true; fi; cat f', ['read /ws/a', 'read /ws/a/f', 'read /ws/f']],
  ['cd a && cat f > g', ['read /ws/a', 'write /ws/a/g', 'read /ws/a/f']],
  ['cd a && cat $PWD/f', ['read /ws/a', 'read /ws/a/f']],
  ['case x in x) cd a;; esac; cat f', ['read /ws/a', 'read /ws/f', 'read /ws/a/f']],
])('the folder: the files of %j', (line, expected) => {
  const analysis = analyzer.analyze(line, PLACE);
  expect(filesOf(analysis)).toEqual(expected);
  expect(doubtsOf(analysis)).toEqual([]);
});

test.each([
  'cd $x; cat f',
  'cd "$(pwd)" && cat f',
  'cd - ; cat f',
  'cd ~bob && ls',
  'popd; ls',
  'pushd +1; ls',
  'cd a*; ls',
  'cd a b; ls',
  'while true; do cd a; cat f; done',
  'for i in a b; do cd a; done',
])('the folder: after %j it is not known, which is a doubt', (line) => {
  expect(doubtsOf(analyzer.analyze(line, PLACE)).join(' ')).toContain(says('folderKnownAtRuntime'));
});

test.each(['cat */../../x', 'cat .?/x', 'cat .*/x', 'ls a*/../..', 'cat [a]*/../x', 'ls .[.]/x'])('a pattern that leads upwards raises a doubt: %j', (line) => {
  expect(isHarmless(analyzer.analyze(line, PLACE))).toBe(false);
});

test('a pattern that can match the folder above reads that too', () => {
  expect(files('ls .*')).toEqual(['read /ws', 'read /ws (.*)', 'read /']);
  expect(files('ls .e*')).toEqual(['read /ws', 'read /ws (.e*)']);
});

test('words are as the shell makes them', () => {
  const line = `echo a'b'"c"\\d $'e\\tf' $"g" "h\\$i\\j" ~/k "~/l" $HOME/m "$PWD" $x "a$x" *.ts k\\\nl '' #n`;
  const { commands } = analyzer.analyze(line, PLACE);
  const words = ['echo', 'abcd', 'e\tf', 'g', 'h$i\\j', '/home/user/k', '~/l', '/home/user/m', '/ws', undefined, undefined, '*.ts', 'kl', ''];
  expect(commands[0]?.words).toEqual(words);
});

test('a value with blanks is one word only in quotes', () => {
  const place = { cwd: '/w s', home: '/h*' };
  expect(linesOf(analyzer.analyze('echo $PWD "$PWD" $HOME "$HOME" ~', place))).toEqual(['echo ? /w s ? /h* /h*']);
});

test('the source is the command as written', () => {
  const { commands } = analyzer.analyze('A=1 ls -la >f 2>&1 | timeout 5 "wc" -l; echo $(pwd)', PLACE);
  expect(commands.map(({ source }) => source)).toEqual(['A=1 ls -la >f 2>&1', '"wc" -l', 'pwd', 'echo $(pwd)']);
});
