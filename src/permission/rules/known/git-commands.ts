import type { KnownCommand } from './known-command.js';

const source = 'https://git-scm.com/docs';

/**
 * Subcommands of Git. Left out everywhere: what names files that Git reads a text from (`-F`, `--template`), programs (`--exec`,
 * `--upload-pack`), another repository (`-C`, a path or address as a remote), and what drops commits on a server (`--force`).
 */
export const GIT_COMMANDS: readonly KnownCommand[] = [
  { words: 'git add', options: '-A --all -u --update -v --verbose -n --dry-run -N --intent-to-add', operands: 'path', source: `${source}/git-add` },
  {
    words: 'git commit',
    options: [
      '-m=text --message=text -a --all --amend --no-edit -s --signoff -q --quiet -v --verbose --allow-empty --dry-run --fixup=ref',
      '--author=text --date=text',
    ].join(' '),
    operands: 'path',
    source: `${source}/git-commit`,
  },
  {
    words: 'git push',
    options: '-u --set-upstream --tags --follow-tags -n --dry-run -q --quiet -v --verbose --progress --porcelain --atomic',
    first: 'remote',
    operands: 'refspec',
    source: `${source}/git-push`,
  },
  {
    words: 'git pull',
    options: '--rebase --no-rebase --ff --ff-only --no-ff --no-edit --autostash -q --quiet -v --verbose --tags --prune -p --all --stat --no-stat',
    first: 'remote',
    operands: 'refspec',
    source: `${source}/git-pull`,
  },
  {
    words: 'git fetch',
    options: '--all --prune -p --tags -t --no-tags -q --quiet -v --verbose --dry-run --depth=number --unshallow --progress',
    first: 'remote',
    operands: 'refspec',
    source: `${source}/git-fetch`,
  },
  {
    words: 'git ls-remote',
    options: '--branches --heads -h --tags -t --refs -q --quiet --exit-code --get-url --sort=name --symref',
    first: 'remote',
    operands: 'ref',
    source: `${source}/git-ls-remote`,
  },
  { words: 'git switch', options: '-c=ref --create=ref -q --quiet --detach -d --track -t --guess --no-guess', operands: 'ref', source: `${source}/git-switch` },
  { words: 'git checkout -b', options: '--track -t -q --quiet', operands: 'ref', source: `${source}/git-checkout` },
  {
    words: 'git branch',
    options: [
      '-a --all -r --remotes -v -vv --verbose --list -l --show-current -m --move -d --delete --merged --no-merged -u=ref',
      '--set-upstream-to=ref --sort=name',
    ].join(' '),
    operands: 'ref',
    source: `${source}/git-branch`,
  },
  { words: 'git tag', options: '-a --annotate -m=text --message=text -l --list -n --sort=name', operands: 'ref', source: `${source}/git-tag` },
  {
    words: 'git stash push',
    options: '-m=text --message=text -u --include-untracked -k --keep-index -q --quiet --staged',
    operands: 'path',
    source: `${source}/git-stash`,
  },
  { words: 'git stash', options: '-u --include-untracked -k --keep-index -q --quiet', source: `${source}/git-stash` },
  {
    words: 'git merge',
    options: '--no-ff --ff --ff-only --squash --no-edit --abort --continue --quit --no-commit --stat -q -v -m=text',
    operands: 'ref',
    source: `${source}/git-merge`,
  },
  {
    words: 'git rebase',
    options: '--abort --continue --skip --quit --autostash --no-autostash -q -v --onto=ref',
    operands: 'ref',
    source: `${source}/git-rebase`,
  },
  { words: 'git cherry-pick', options: '--abort --continue --skip --quit -x -n --no-commit', operands: 'ref', source: `${source}/git-cherry-pick` },
  { words: 'git revert', options: '--abort --continue --skip --quit --no-edit -n --no-commit', operands: 'ref', source: `${source}/git-revert` },
  { words: 'git mv', options: '-v --verbose -n --dry-run -k', operands: 'path', unoffered: true, source: `${source}/git-mv` },
  { words: 'git rm', options: '-q --quiet -n --dry-run --cached', operands: 'path', unoffered: true, source: `${source}/git-rm` },
];
