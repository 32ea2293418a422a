import { expect, test } from 'vitest';
import { doubtsOf, filesOf, isHarmless, linesOf, loadAnalyzer, PLACE } from './rig.js';

const analyzer = await loadAnalyzer();

test.each([
  ...['ls', 'ls -la src', 'ls --color=never -1', 'cat -n a', 'head -20 a', 'tail -n +5 a', 'wc -l *.ts', 'pwd', 'echo a $HOME "$x" $(pwd)', "printf '%s\\n' a b", 'printf "%5d%%\\n" $x'],
  ...['true', 'false', ':', 'test -f a', '[ -d a ]', '[ "a" = b ]', '[ ! -f x -o a != b ]', 'date', 'date +%s', 'date -u "+%F %T"', 'which -a node', 'command -v node', 'type ls', 'basename a/b .ts', 'dirname "$x"', 'realpath a', 'readlink -f a', 'stat -c %s a', 'file a', 'du -sh src', 'df -h'],
  ...['uname -a', 'whoami', 'id -u', 'hostname', 'nproc', 'uptime', 'sort a', 'sort -u -k2,2 -t, a', 'sort -rn', 'uniq -c a', 'cut -d: -f1 a', 'tr a-z A-Z', 'grep -rn foo src', 'grep --include=*.ts -r x .', 'rg --glob=*.ts x', 'egrep -v "a|b" f', 'rg -n --hidden -g "*.ts" foo', 'rg --files', "find . -name '*.ts' -not -path './node_modules/*'", 'find . -type f \\( -name a -o -name b \\) -print', 'find src -maxdepth 2 -mtime -1 -printf "%p\\n"'],
  ...["sed -n '1,5p' a", 'sed s/a/b/g a', "sed -E 's/(a)/\\1/; s|x|y|' a", "sed '/^#/d' a", "sed -n '/a/,/b/p' a", "sed '$d' a", "sed 's/[^a-z]*$//' a", "sed -n '$=' a", 'sed -n 10q a'],
  ...["awk '{print $1}' a", "awk -F: '{print $1, $NF}' a", "awk 'NR==1' a", "awk '/foo/ {print $2}' a", "awk '{sum += $1} END {print sum}' a", 'awk \'{printf "%s\\n", $1}\' a', "awk 'NR>=2 && NR<=5' a"],
  ...['diff -u a b', 'cmp a b', 'comm -12 a b', 'column -t a', 'nl -ba a', 'tac a', 'rev a', 'seq 1 5', 'expr 1 + 2', 'sleep 1', 'md5sum a', 'sha256sum a', 'xxd -l 16 a', 'od -c a', 'hexdump -C a', 'strings a', 'tree -L 2', 'jq -r ".a | .b" a', "jq '.[0]' a"],
  ...['git status', 'git status -sb', 'git diff', 'git diff --stat HEAD~1', 'git diff --cached -- src', 'git log --oneline -5', 'git log -p -1 src/a.ts', 'git log --format=%H --since=yesterday', 'git show HEAD', 'git show --stat HEAD', 'git branch', 'git branch -a', 'git branch --show-current', 'git remote -v', 'git remote get-url origin', 'git rev-parse --show-toplevel', 'git rev-parse HEAD', 'git ls-files', 'git blame src/a.ts', 'git describe --tags', 'git tag', "git tag -l 'v*'", 'git stash list', 'git grep -n foo', 'git grep /foo src', 'git status -uno', 'git shortlog -sn HEAD', 'git reflog', 'git config --get user.name', 'git --no-pager log -1', 'git --version'],
  ...['tail -f a', 'grep -R x .', 'diff -r a b', 'git log -L 1,5:a', 'less -N a', 'man ls', 'man 5 crontab', 'npm ls --depth=0', 'npm run', 'printenv PATH', 'help cd', 'git worktree list', 'git show-ref', 'git config user.name', 'git -C . status', 'git diff $(git merge-base HEAD main)'],
  ...['find . -name a -exec grep -l x {} +', 'find . -exec wc -l {} \\;', 'find src -name a | xargs grep x', 'find . -print0 | xargs -0 -n1 head -5', 'diff <(sort a) <(sort b)', 'cat {a,b}', 'echo {a,b}', 'for f in *.ts; do head -5 "$f"; done', 'while read -r l; do echo "$l"; done < a', 'CI=1 ls', "awk 'NR>1' a", "awk '$1 > 10 {print}' a", "jq --arg x y '.[$x]' a", 'ls & wait'],
  ...['go version', 'node -v', 'node --version', 'npm --version', 'python3 --version', 'gcc --version'],
  ...['timeout 5 ls', 'nice -n 5 ls', 'time ls', 'env ls', 'command ls', 'nohup ls', "sh -c 'ls | head'", 'bash -c "echo a"', 'ls | xargs echo', 'ls | xargs -n1 basename', 'timeout 5 nice ls'],
  ...['cd src', 'cd src && ls', 'cd ..; pwd', 'pushd src', 'exit 0', 'exit'],
  ...['if [ -f a ]; then cat a; else echo no; fi', 'for f in a b; do echo "$f"; done', 'while false; do ls; done', 'case a in b) ls;; *) pwd;; esac', '(cd a && ls)', '{ ls; pwd; }', '! grep -q x a', '[[ -f a && $x == b* ]] && echo yes', '[[ $x =~ ^a(b|c)$ ]]', 'ls # a comment', 'echo `pwd`', 'cat <<< "$x"', 'echo $((1 + 2))', 'echo ${x} "${#x}"', 'ls & wc a', 'echo {}', "git show 'stash@{0}'"],
])('without asking: %j', (line) => {
  const analysis = analyzer.analyze(line, PLACE);
  expect([isHarmless(analysis), analysis]).toEqual([true, analysis]);
});

/** Programs in the table with words that they are not in the table for. */
test.each([
  ...['ls --unknown', 'cat --help-me', 'head -f', 'sort -o a b', 'sort --output=a b', 'sort --out=a b', 'sort -uo a b', 'sort --compress-program=./x a', 'sort -T/tmp a', 'sort *', 'uniq a b', 'uniq *', 'date -s now', 'date --set=now', 'date 010100002030', 'hostname x', 'hostname *', 'file -C -m a', 'file -z a', 'tree -o a', 'tree -l', 'tree -CPo 3 a', 'tree -Lo 2 a', 'xxd a b', 'xxd a -b', 'xxd -o 1 a -a', 'xxd -r a', 'xxd *', 'grep -f a b', 'jq env a', 'jq "\\$ENV.x" a', 'jq -f a b', 'jq \'import "a" as a; .\' b', 'jq --slurpfile a b . c', 'printf -v a b', 'printf "$x"', "printf '%n' a", 'test -v a', '[ -f a', 'type -Z a', 'command -x a', 'sha256sum -c a', 'tail --pid=1 a', 'expr $x', 'tac --sep'],
  ...['find . -newerXY a', 'find -L .', 'find . -files0-from a', 'find . -name', 'rg -L x', 'rg --follow x', 'rg --search-zip x', 'rg -f a', 'rg --ignore-file a x'],
  ...['git branch x', 'git branch -D x', 'git branch -d x', 'git tag x', 'git tag -d x', 'git remote add a b', 'git remote show origin', 'git stash', 'git stash drop', 'git reflog expire', 'git reflog delete', 'git config a b', 'git config --global a b', 'git config --unset a', 'git config -e', 'git commit', 'git fetch', 'git unknown', 'git diff --no-index a b', 'git diff -O a', 'git log --show-signature', 'git log --format=%G?', 'git config --list', 'git blame --contents a b', "git log ':(exclude)a'", 'git', 'git -p diff', 'git shortlog'],
  ...['cargo --version', 'yarn --version', 'pnpm --version', 'node -e 1', 'node --version x', './node --version', '/bin/ls', './cat a', 'LS', 'env', 'printenv', 'set', 'export', 'ps', 'vim a', 'make', 'npm test', 'ssh h', 'tee a', 'touch a', 'kill 1', 'xargs', 'xargs cat', 'ls | xargs wc -l "$x"', 'time', 'timeout 5', 'nice', 'xargs -a f echo', 'dash -c ls', 'sh -c "echo \\$\'ls\'"', 'bash', 'bash -s', 'bash x.sh', "zsh -c 'ls'", 'ls | sh', 'busybox ls', 'sudo ls', 'exec ls', 'watch ls', 'env -i ls'],
  ...['for PATH in a; do ls; done', 'for LD_PRELOAD in a; do ls; done', 'for http_proxy in a; do ls; done', 'echo ~bob', 'echo a=~', 'echo {1..3}', 'cat {a..c}', 'cat {a,$x}', 'ls $x', 'cat $x', 'cat "$x"', 'cat $(ls)', 'cat `ls`', 'head -n $x a', '[ -f $x ]', 'case ${x:=a} in a) ls;; esac', 'for i in ${x:=a}; do ls; done', '[[ ${x:=a} ]]', 'cat <<< ${x:=a}', '[[ a -eq b ]]', '[[ $x -eq 1 ]]', '[[ [<(ls) != a ]]', 'time if ls; then ls; fi', '! { ls; }', 'coproc ls', 'function ls { :; }'],
  ...['find . -exec sh {} +', 'find . -exec grep -f {} a +', 'find . -execdir cat {} +', 'find . -exec cat x{} +', 'find . -exec sort -o {} +', 'find . | xargs sh', 'find . -printf x | xargs cat', 'echo a | xargs cat', 'find . | xargs cat < a', 'find . | xargs -I{} cat {}', 'find . | xargs -a b cat', 'find . | cat | xargs cat', 'git ls-files | xargs cat', 'cat "$f"', 'for f in $x; do cat "$f"; done', 'for f in a; do cat $f; done', 'for f in a; do f=/etc/passwd; cat "$f"; done', 'read PATH', 'read -a x', 'A=1 ls', 'CI=$x ls', "awk '{print > \"a\"}' b", "awk 'BEGIN { if (1 > 2) print > \"a\" }'", 'npm ls --prefix x', 'printenv', 'printenv API_KEY', 'less -o a b', 'less +!x a', 'man -P x ls', 'git config http.extraheader', 'git -C a status', 'go env', 'git diff $(git merge-base $x main)', 'git diff $(cat a)'],
  // GNU xargs takes the value of these two only attached: the next word is the program that it runs.
  ...['xargs --replace find echo . -exec sh -c id \\;', 'xargs --replace cat echo /etc/shadow', 'xargs --max-lines rm echo -rf src', 'timeout 5 xargs --max-lines rm echo', 'nice xargs --replace sh echo', 'command xargs --replace sh echo'],
  // One word is one option of xxd, whatever follows its first letter: the next word is a file that it reads or writes.
  ...['xxd -ps nums.txt .git/config', 'xxd -pc ~/.ssh/id_rsa', 'xxd -pc /proc/1/environ', 'xxd -bc a b', 'xxd -ig a b', 'xxd -ac a b', 'xxd -pl a', 'xxd -cols 4 a'],
  ...['strings @opts', 'strings -- @opts', 'strings -n 4 @opts', 'strings "@$x"', 'strings *'],
  // It goes up from where a link leads.
  ...['cd -P a; ls', 'cd -Pe a; ls', 'cd -P a && cd .. && git status'],
])('asks about %j', (line) => {
  expect(isHarmless(analyzer.analyze(line, PLACE))).toBe(false);
});

/** What a rule with a prefix that the person gave must let pass. */
test.each(['git commit -m "a b"', 'git push origin main', 'git log --graph --author=x', 'git checkout main', 'git checkout -b x', 'git add .', 'git add src/*.ts', 'git config --get a', 'npm test', 'npm run build -- --watch', 'npm test --silent', 'yarn test --coverage', 'npm test -- -t "a (b)"', 'pytest -x -k "a or b"', 'go test -race -run TestA ./...', 'mvn test -Dtest=A', 'make -j4', 'cargo build --release', 'node script.js', 'bash script.sh a', './run.sh', 'rg --unknown x', 'rg --unknown=*.ts x', 'find . -newerXY a', 'tar -tzf a.tgz', 'curl -s https://x.test', 'ssh host ls', 'less a', 'sort --unknown a', 'timeout 5 npm test', 'rm a', 'touch a b', 'python3 -m pytest -k x'])(
  'a rule may let pass %j: there is no doubt about it',
  (line) => {
    expect(doubtsOf(analyzer.analyze(line, PLACE))).toEqual([]);
  },
);

/** What no rule with a prefix may let pass, though the person allowed the program. */
test.each([
  ...['find . -exec rm {} +', 'find . -delete', 'git -c a=b log', 'git diff --output=a', 'git log --ext-diff', "git grep -O'touch a' x", 'git fetch --upload-pack=./x', 'git clone -u ./x a', "git rebase --exec 'x'", 'git config a b', 'git submodule update', 'git bisect run ./x', 'git difftool', 'git -C a log', 'cd $x && git log', 'git apply a', 'git checkout -- a', 'git checkout a b', 'git checkout HEAD .', 'git restore a', 'git stash pop', 'git diff *', 'git diff --out*'],
  ...['sed -i s/a/b/ a', "sed 'w a' b", "sed 's/a/b/e' c", "awk '{system($0)}' a", 'rg --pre ./x a', 'sort -o a b', 'sort --outp a b', 'tar xf a', 'tar -xf a', 'tar cf a b --to-command=x', 'less +!x a', 'less -o a b', 'man -P ./x ls', 'rsync -e ./x a b', 'ssh -o ProxyCommand=x h', 'curl -o a b', 'curl -sSo a b', 'curl --config a', 'wget -O a b', 'fd -x rm', 'tree -o a', 'date -s now', 'xxd -r a b', 'zip -T a', 'patch -p1', 'unzip a', "printf '%n' a", 'test -v a', 'tcpdump -z ./x'],
  ...['xargs rm', 'env A=b npm test', 'env -i npm test', 'sudo npm test', 'bash', 'bash -s', 'npm test $x', 'npm test "$(ls)"', 'npm test {1..3}', 'npm test > $x', 'npm test > /dev/tcp/a/80', 'A=b npm test', 'time A=b npm test', '$x test', 'npm test */../a', 'eval npm test', 'exec npm test', 'source a', 'trap ls EXIT', 'export A=b', 'set -x', 'cd $x && npm test', 'f() { npm test; }', 'flock a npm test'],
])('no rule with a prefix may let pass %j', (line) => {
  expect(doubtsOf(analyzer.analyze(line, PLACE))).not.toEqual([]);
});

test('a wrapper that adds no power is not listed; one that does, is', () => {
  expect(linesOf(analyzer.analyze('timeout 5 nice -n 3 ls -la', PLACE))).toEqual(['ls -la']);
  expect(linesOf(analyzer.analyze("bash -c 'ls; pwd'", PLACE))).toEqual(['ls', 'pwd']);
  expect(linesOf(analyzer.analyze('sudo -u bob ls', PLACE))).toEqual(['sudo -u bob ls', 'ls']);
  expect(linesOf(analyzer.analyze('find . -exec ls {} \\;', PLACE))).toEqual(['find . -exec ls {} ;', 'ls {}']);
});

test('a program that xargs runs is told by every spelling of its options', () => {
  expect(linesOf(analyzer.analyze('xargs --replace curl echo', PLACE))).toEqual(['curl echo']);
  expect(linesOf(analyzer.analyze('xargs --max-lines rm echo -rf src', PLACE))).toEqual(['rm echo -rf src']);
  expect(linesOf(analyzer.analyze('xargs --replace={} basename {}', PLACE))).toEqual(['basename {}']);
});

test('a file behind an option whose value can only be attached is read', () => {
  for (const line of ['git diff -U /out/key README.md', 'git diff --unified /out/key README.md', 'git log -p -U /out/key']) expect(filesOf(analyzer.analyze(line, PLACE))).toContain('read /out/key');
});

test('a file behind a version of git is read, however many colons that has', () => {
  for (const line of ['git show :0:.env', 'git cat-file -p :0:.env', "git show 'HEAD@{12:00}:.env'", "git show 'HEAD^{/feat:}:.env'", 'git show HEAD:.env']) expect(filesOf(analyzer.analyze(line, PLACE))).toContain('read /ws/.env');
});

test('a device that never ends counts as a file outside', () => {
  for (const device of ['/dev/full', '/dev/zero']) expect(filesOf(analyzer.analyze(`tac ${device}`, PLACE))).toEqual([`read ${device}`]);
});

test('a format that could be read in very many ways is judged at once', () => {
  for (const format of [`${'%00000000'.repeat(2_000)}%!`, `%${'0'.repeat(50_000)}!`]) expect(isHarmless(analyzer.analyze(`printf '${format}'`, PLACE))).toBe(false);
  expect(isHarmless(analyzer.analyze("printf '%05d %-10.3s %%\\n' a b", PLACE))).toBe(true);
});
