/** What can happen in a worktree. `$T` is text that is nowhere else. */
export interface Happening {
  readonly name: string;
  /** Lines of a shell in the worktree; `$MAIN` is the main checkout, and `copy` copies a file there. What fails is left out. */
  readonly script: string;
}

/** What an agent, a user, or a crash does in a worktree; E-42 and E-75, and what others have lost. */
export const HAPPENINGS: readonly Happening[] = [
  { name: 'a tracked file is changed', script: 'echo "$T" >> a.txt' },
  {
    name: 'a tracked file is changed, with its former size and time',
    script: 'printf "%.6s" "$T" > same; touch -r a.txt same; head -c 6 same > b/b.txt; touch -r a.txt b/b.txt',
  },
  { name: 'a file is new', script: 'echo "$T" > "new $T"' },
  { name: 'a file is new whose name is not in UTF-8', script: 'echo "$T" > "$(printf "b\\377$T")"' },
  { name: 'a folder is new whose name is not in UTF-8, with a repository', script: 'D="$(printf "d\\377.tmp")"; git init -q "$D/sub"; echo "$T" > "$D/sub/f"' },
  { name: 'a folder is new', script: 'mkdir -p "d/$T"; echo "$T" > "d/$T/file"' },
  { name: 'a file is deleted', script: 'rm -f b/b.txt' },
  { name: 'a file has become a folder', script: 'rm -rf a.txt; mkdir a.txt; echo "$T" > a.txt/inner' },
  { name: 'a commit is on no branch of the main repository', script: 'echo "$T" > c; git add c; git commit -qm "$T"' },
  { name: 'a commit of everything', script: 'git add -A; git commit -qm "$T"' },
  { name: 'a commit with a detached head', script: 'git checkout -q --detach; echo "$T" > c; git add c; git commit -qm "$T"' },
  { name: 'a commit on a branch that is left', script: 'git checkout -qb "b-$T"; git commit -q --allow-empty -m "$T"; git checkout -q -' },
  { name: 'a commit is taken back', script: 'echo "$T" > r; git add r; git commit -qm "$T"; git reset -q --hard HEAD~1' },
  { name: 'a commit is changed', script: 'echo "$T" > m; git add m; git commit -q --amend -m "$T"' },
  { name: 'a branch is deleted', script: 'git checkout -qb gone; echo "$T" > g; git add g; git commit -qm "$T"; git checkout -q -; git branch -qD gone' },
  { name: 'something is only staged', script: 'echo "$T" > s; git add s; rm s' },
  { name: 'a change is only staged', script: 'A="$(cat a.txt)"; echo "$T" > a.txt; git add a.txt; echo "$A" > a.txt' },
  { name: 'a stash', script: 'echo "$T" >> a.txt; git stash -q' },
  { name: 'a stash of new files', script: 'echo "$T" > st; git stash -qu' },
  { name: 'a tag', script: 'git commit -q --allow-empty -m "$T"; git tag "t-$T"; git reset -q --hard HEAD~1' },
  { name: 'a note', script: 'git notes add -f -m "$T"' },
  { name: 'an ignored file that is listed', script: 'echo "$T" > .env' },
  { name: 'an ignored file that is not listed', script: 'echo rubbish > x.tmp' },
  { name: 'a repository within', script: 'git init -q "sub-$T"; echo "$T" > "sub-$T/f"; git -C "sub-$T" add f; git -C "sub-$T" commit -qm "$T"' },
  { name: 'an ignored repository within', script: 'git init -q "sub.tmp"; echo "$T" > "sub.tmp/f"; git -C "sub.tmp" add f; git -C "sub.tmp" commit -qm "$T"' },
  { name: 'files in the folder of a submodule', script: 'mkdir -p module; echo "$T" > module/file' },
  { name: 'a lock file is left behind', script: ': > .git/index.lock' },
  { name: 'an index is marked as unchanged', script: 'git update-index --assume-unchanged a.txt; echo "$T" >> a.txt' },
  { name: 'a file is left out of the working tree', script: 'git update-index --skip-worktree a.txt; echo "$T" >> a.txt' },
  { name: 'what is ignored is changed in the repository', script: 'echo "new*" >> .git/info/exclude; echo "$T" > "new-$T"' },
  {
    name: 'what is ignored is changed in settings',
    script: 'git config core.excludesFile "$PWD/.git/all"; echo "*" > .git/all; git config status.showUntrackedFiles no; echo "$T" > "u-$T"',
  },
  { name: 'what is ignored is changed in a file', script: 'echo "*.dat" >> .gitignore; echo "$T" > "$T.dat"' },
  { name: 'settings lead to another working tree', script: 'git config core.worktree "$MAIN"; echo "$T" > "w-$T"' },
  {
    name: 'history is replaced',
    script:
      'echo "$T" > h; git add h; git commit -qm "$T"; git replace -f HEAD "$(git -C "$MAIN" rev-parse HEAD)"; git replace -f "$(git -C "$MAIN" rev-parse HEAD)" HEAD',
  },
  {
    name: 'history is grafted',
    script:
      'echo "$T" > h; git add h; git commit -qm "$T"; echo "$(git -C "$MAIN" rev-parse HEAD) $(git rev-parse HEAD)" > .git/info/grafts; git reset -q --hard HEAD~1',
  },
  {
    name: 'a rebase is under way',
    script:
      'echo "$T" >> a.txt; git commit -qam "$T"; mkdir -p .git/rebase-merge; git rev-parse HEAD > .git/rebase-merge/autostash; git reset -q --hard HEAD~1; rm -rf .git/logs',
  },
  { name: 'a worktree of the worktree', script: 'git worktree add -q --detach "w.tmp"; echo "$T" > w.tmp/file' },
  { name: 'the branch is brought into the main repository', script: 'git -C "$MAIN" fetch -q "$PWD" "HEAD:refs/heads/kept-$T"' },
  { name: 'all references are brought into the main repository', script: 'git -C "$MAIN" fetch -q "$PWD" "HEAD:refs/heads/kept-$T" "+refs/*:refs/kept-$T/*"' },
  { name: 'everything is taken back', script: 'git stash -qu; git stash drop -q; rm -rf .git/logs; git checkout -q -f main' },
  { name: 'the main branch moves', script: 'git -C "$MAIN" commit -q --allow-empty -m "main $T"' },
  { name: 'the user changes the main checkout', script: 'echo "main $T" > "$MAIN/a.txt"' },
  { name: 'the folder is deleted', script: 'rm -rf "$PWD"' },
  { name: 'the files are deleted, and the repository is not', script: 'rm -rf ./*' },
  { name: 'the repository in it is deleted', script: 'rm -rf .git' },
  { name: 'the record is deleted', script: 'echo "$T" > orphan; rm ../gnomon/record.json' },
  {
    name: 'the record says that it began with what it has now',
    script:
      'echo "$T" > c; git add c; git commit -qm "$T"; sed -i "s/\\"commit\\": \\"[0-9a-f]*\\"/\\"commit\\": \\"$(git rev-parse HEAD)\\"/" ../gnomon/record.json',
  },
  { name: 'creating is cut off', script: 'sed -i "s/\\"ready\\"/\\"creating\\"/" ../gnomon/record.json; rm -f a.txt' },
  { name: 'the user locks it', script: 'sed -i "s/\\"listed\\"/\\"locked\\": \\"mine\\", \\"listed\\"/" ../gnomon/record.json' },
];

/** How files of a worktree come into the main checkout, and what is done with either behind that. `${T}9` is text that is nowhere else, too. */
export const COPIES: readonly Happening[] = [
  { name: 'a new file is copied', script: 'echo "$T" > k; copy k' },
  { name: 'a new file whose name is not in UTF-8 is copied', script: 'K="$(printf "k\\377")"; echo "$T" > "$K"; copy "$K"' },
  { name: 'a copied file whose name is not in UTF-8 is changed again', script: 'K="$(printf "k\\377")"; echo "$T" > "$K"; copy "$K"; echo "${T}9" > "$K"' },
  { name: 'a copied file is staged otherwise', script: 'echo "${T}9" > k; git add k; echo "$T" > k; copy k' },
  { name: 'all files are copied', script: 'echo "$T" > k; git ls-files -com --exclude-standard | while read f; do [ -f "$f" ] && copy "$f"; done' },
  { name: 'a copied file is changed again', script: 'echo "$T" > k; copy k; echo "${T}9" >> k' },
  { name: 'a changed file is copied', script: 'echo "$T" >> a.txt; copy a.txt' },
  { name: 'a copied file was committed otherwise', script: 'echo "${T}9" > k; git add k; git commit -qm k; git reset -q --hard HEAD~1; echo "$T" > k; copy k' },
  { name: 'the user changes what was copied', script: 'echo "${T}9" > k; copy k; echo "$T" > "$MAIN/k"' },
  { name: 'a file is copied to another place', script: 'echo "$T" > k; cp k "$MAIN/k-$T"; echo other > "$MAIN/k"' },
  { name: 'one of two files is copied', script: 'echo "$T" > k; copy k; echo "${T}9" > l' },
  { name: 'the user deletes what was copied', script: 'echo "$T" > k; copy k; rm "$MAIN/k"' },
  {
    name: 'a copied file is committed by the user',
    script: 'echo "$T" > k; cp k "$MAIN/k-$T"; git -C "$MAIN" add "k-$T"; git -C "$MAIN" commit -qm "$T" "k-$T"',
  },
  {
    name: 'a copied file is committed by the user, on a branch that is deleted',
    script:
      'echo "$T" > k; cp k "$MAIN/k-$T"; git -C "$MAIN" checkout -qb "t-$T"; git -C "$MAIN" add "k-$T"; git -C "$MAIN" commit -qm "$T" "k-$T"; ' +
      'git -C "$MAIN" checkout -q -; git -C "$MAIN" branch -qD "t-$T"',
  },
  { name: 'the main checkout leads to the file by a link', script: 'echo "$T" > k; rm -f "$MAIN/k"; ln -s "$PWD/k" "$MAIN/k"' },
  { name: 'the main checkout leads to the folder by a link', script: 'mkdir -p e; echo "$T" > e/k; rm -rf "$MAIN/e"; ln -s "$PWD/e" "$MAIN/e"' },
  { name: 'a deletion is made in both', script: 'rm -f b/b.txt "$MAIN/b/b.txt"' },
];
