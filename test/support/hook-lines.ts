/** Names by which files pass for data, beside one that does not. */
export const NAMES = ['check.sh', 'x.log', 'x.lock', 'x.csv', 'x.db', 'x.pid', 'x.sqlite3', 'noending'];

/** Ways to run `tools/N` that are seen through: whatever it is called, a change of it is noticed. */
export const SEEN = [
  ...['./tools/N', 'tools/N', 'bash tools/N', 'sh ./tools/N', 'bash -x tools/N', 'bash -eu -- tools/N', '/bin/sh tools/N', '. tools/N', 'source ./tools/N'],
  ...['cd tools && ./N', 'cd tools; bash N', 'cd ./tools && sh N', 'pushd tools >/dev/null && ./N; popd', '(cd tools && ./N)', '{ cd tools; ./N; }', 'cd tools\n./N', 'cd tools || exit\nbash ./N', 'cd -- tools && . ./N', 'cd docs && ../tools/N', 'cd docs && cd ../tools && ./N'],
  ...['"$CLAUDE_PROJECT_DIR"/tools/N', '"${CLAUDE_PROJECT_DIR}/tools/N"', '${CLAUDE_PROJECT_DIR:-.}/tools/N', 'bash "${CLAUDE_PROJECT_DIR:?}/tools/N"', 'cd "$CLAUDE_PROJECT_DIR/tools" && bash N', 'cd "$CLAUDE_PROJECT_DIR" && cd tools && ./N', '"$PWD/tools/N"', "'./tools/'N", './to"ol"s/N', './to\\ols/N'],
  ...["sh -c './tools/N'", 'bash -c "cd tools && ./N"', "sh -c 'exec bash tools/N'", "bash -c -v './tools/N'", "bash -c -e -- 'sh tools/N'", "bash -ec 'cd tools; sh N'", 'eval ./tools/N', 'eval "cd tools; ./N"', "sh -c \"sh -c 'cd tools && sh N'\""],
  ...['env ./tools/N', 'env A=b bash tools/N', 'nohup ./tools/N', 'timeout 5 bash tools/N', 'nice bash tools/N', 'exec ./tools/N', 'command ./tools/N', 'A=b bash tools/N', '/usr/bin/env bash tools/N'],
  ...['if ./tools/N; then :; fi', 'while ! bash tools/N; do :; done', '! ./tools/N', '[ -e tools/N ] && bash tools/N', '[[ -e tools/N ]] && ./tools/N', 'true | bash tools/N', 'false || ./tools/N', 'echo a & ./tools/N', 'echo "$(./tools/N)"', 'echo `./tools/N`', 'cat <(./tools/N)', 'for i in 1; do ./tools/N; done', 'x=$(cd tools && ./N)', '# it is\n./tools/N # no'],
];
/** The same, of which more is said than has to be. */
export const SEEN_AND_TOLD = ['bash -o pipefail tools/N', 'bash +x tools/N', 'bash < tools/N', 'f() { ./tools/N; }; f', 'sudo -n ./tools/N', 'nice -n 5 bash tools/N', 'echo | ./tools/N > out.txt', 'timeout -k 1 5 ./tools/N', 'git status; ./tools/N'];
/** Ways that only show when they run: either the folder is bound, or the user is told. */
export const HIDDEN = [
  ...['D=tools; "$D/N"', 'D=tools; bash $D/N', 'T=N; cd tools && "./$T"', 'bash tools/N*', 'bash ./t*/N', 'bash tools/[!a]*', 'for f in tools/*; do bash "$f"; done', 'cd tools && for f in *; do bash "./$f"; done', 'bash {tools,docs}/N', 'bash t??ls/N'],
  ...['$(echo ./tools/N)', 'bash "$(echo tools/N)"', 'bash `echo tools/N`', 'cd "$(dirname tools/N)" && ./N', 'cd $(echo tools) && bash N', "bash $'tools/N'", 'bash "${D:-tools}/N"', 'set -- tools/N; bash "$1"', 'read -r f <<< tools/N; bash "$f"', "printf -v f tools/N; bash $f"],
  ...['cat tools/N | bash', 'echo ./tools/N | xargs bash', 'find tools -type f -exec bash {} \\;', 'bash <<< ". tools/N"', 'bash <<X\n. tools/N\nX', 'trap ./tools/N EXIT', 'case a in a) ./tools/N;; esac', 'cp tools/N c.tmp; bash c.tmp', 'cat tools/N > c.log; sh c.log'],
  ...['PATH=./tools:$PATH; N', 'PATH="$PWD/tools:$PATH" N', 'export PATH=tools:$PATH; N', 'env PATH=./tools:$PATH N', 'BASH_ENV=tools/N bash -c :', 'export BASH_ENV=tools/N; bash -c :', 'env BASH_ENV=./tools/N bash -c :', 'CDPATH=tools; cd tools && . ./N', 'CLAUDE_PROJECT_DIR=$PWD/docs/..; bash "$CLAUDE_PROJECT_DIR"/tools/N', 'function f { ./tools/N; }; f', 'bash --rcfile tools/N -i', 'bash --init-file tools/N -i', 'exec -a x bash tools/N', 'env -C tools bash N', 'env -S "bash tools/N"'],
  ...["let 'a[$(bash tools/N)]=1'", "[[ 'a[$(bash tools/N)]' -eq 1 ]]", "declare -i x='a[$(bash tools/N)]'", "x='a[$(bash tools/N)]'; echo $((x))", 'ln -s tools/N l.log; bash l.log', 'cat tools/N | tee c.log >/dev/null; bash c.log', 'bash <<< "$(cat tools/N)"', 'eval "$(cat tools/N)"', 'bash -c "$(cat tools/N)"', 'BASH_ENV=$PWD/tools/N bash -c :', 'env BASH_ENV="$PWD"/tools/N bash -c :'],
];

/** A line for a script of some name. */
export function lineOf(form: string, name: string): string {
  return form.replaceAll(/N(?![A-Z_])(?<![A-Z_]N)/g, name);
}
