import { withoutUserInfo } from './without-user-info.js';

/** Settings of Git that can hold no password and run nothing, and why. */
interface HarmlessKeys {
  /** `section.key`, or `section.*.key` with any subsection. */
  readonly keys: readonly string[];
  /** What git-config(1) says that they are. */
  readonly because: string;
  /** What a value has to look like; any may stand there unless given. */
  readonly value?: RegExp;
}

const FLAG = /^(?:true|false|yes|no|on|off|\d{1,9}|)$/i;
/** A flag, a number with a unit, or one of the words that a setting knows. */
const WORD = /^[\w.,:=+-]{0,64}$/;
/** A name or a path: nothing that starts a program for Git, which needs `!` or a shell's characters. */
const PATH = /^[^!`$;|&<>\n]{0,4096}$/;

/**
 * All that a copy of Git's settings has. What is not listed is left out: above all `http.*` (headers, cookies, certificates), `credential.*`, `include*`, and
 * what names a program. Source of every row: git-config(1), unless it says otherwise.
 */
export const HARMLESS_KEYS: readonly HarmlessKeys[] = [
  {
    keys: [
      'core.repositoryformatversion', 'core.bare', 'core.filemode', 'core.ignorecase', 'core.precomposeunicode', 'core.symlinks', 'core.hidedotfiles',
      'core.protecthfs', 'core.protectntfs', 'core.longpaths',
    ],
    because: 'the format of the repository and of its file system',
    value: WORD,
  },
  {
    keys: [
      'core.trustctime', 'core.checkstat', 'core.ignorestat', 'core.untrackedcache', 'core.preloadindex', 'core.splitindex', 'core.sparsecheckout',
      'core.sparsecheckoutcone', 'core.fscache', 'index.version', 'index.threads', 'index.sparse', 'index.recordendofindexentries',
      'index.recordoffsettable', 'index.skiphash', 'sparse.expectfilesoutsideofpatterns', 'feature.manyfiles', 'feature.experimental',
    ],
    because: 'how files are compared and the index is written',
    value: WORD,
  },
  { keys: ['core.fsmonitor'], because: 'the built-in monitor as a flag; a path would be a program', value: FLAG },
  {
    keys: [
      'core.autocrlf', 'core.eol', 'core.safecrlf', 'core.checkroundtripencoding', 'core.bigfilethreshold', 'core.compression',
      'core.loosecompression', 'core.quotepath', 'core.abbrev', 'core.disambiguate', 'core.whitespace', 'core.commentchar', 'core.commentstring',
      'core.warnambiguousrefs', 'core.usereplacerefs', 'core.notesref', 'core.maxtreedepth',
    ],
    because: 'line endings, sizes, and how names and ids are shown',
  },
  {
    keys: [
      'core.logallrefupdates', 'core.sharedrepository', 'core.commitgraph', 'core.multipackindex', 'core.prefersymlinkrefs', 'core.createobject',
      'core.fsync', 'core.fsyncmethod', 'core.fsyncobjectfiles', 'core.deltabasecachelimit', 'core.packedgitlimit', 'core.packedgitwindowsize',
      'core.packedrefstimeout', 'core.filesreflocktimeout',
    ],
    because: 'how refs and objects are kept',
    value: WORD,
  },
  {
    keys: [
      'core.worktree', 'core.excludesfile', 'core.attributesfile', 'core.hookspath',
    ],
    because: 'paths; which hooks run is decided by the files there, and by what the sandbox sets over it',
    value: PATH,
  },
  {
    keys: [
      'extensions.noop', 'extensions.partialclone', 'extensions.preciousobjects', 'extensions.objectformat', 'extensions.compatobjectformat',
      'extensions.worktreeconfig', 'extensions.refstorage', 'extensions.relativeworktrees', 'extensions.submodulepathconfig',
    ],
    because: 'extensions of the format, without which Git refuses the repository',
    value: WORD,
  },
  {
    keys: [
      'remote.*.url', 'remote.*.pushurl', 'url.*.insteadof', 'url.*.pushinsteadof', 'submodule.*.url', 'svn-remote.*.url',
    ],
    because: 'addresses, without user info',
  },
  {
    keys: [
      'remote.*.fetch', 'remote.*.push', 'remote.*.tagopt', 'remote.*.prune', 'remote.*.prunetags', 'remote.*.mirror', 'remote.*.skipdefaultupdate',
      'remote.*.skipfetchall', 'remote.*.promisor', 'remote.*.partialclonefilter', 'remote.*.followremotehead', 'remote.pushdefault',
      'checkout.defaultremote', 'clone.defaultremotename',
    ],
    because: 'refs, flags, and names of remotes',
  },
  {
    keys: [
      'branch.*.remote', 'branch.*.merge', 'branch.*.rebase', 'branch.*.pushremote', 'branch.autosetupmerge', 'branch.autosetuprebase', 'branch.sort',
    ],
    because: 'what a branch follows',
  },
  {
    keys: [
      'branch.*.vscode-merge-base', 'branch.*.gh-merge-base', 'branch.*.github-pr-owner-number', 'branch.*.github-pr-base-branch',
      'remote.*.gh-resolved',
    ],
    because: 'names of branches and pull requests, which the Git and GitHub extensions of VS Code and gh(1) note',
    value: /^[\w./#-]{1,200}$/,
  },
  {
    keys: [
      'submodule.*.path', 'submodule.*.active', 'submodule.*.branch', 'submodule.*.ignore', 'submodule.*.fetchrecursesubmodules',
      'submodule.*.shallow', 'submodule.active', 'submodule.recurse', 'submodule.propagatebranches', 'submodule.fetchjobs',
      'submodule.alternatelocation', 'submodule.alternateerrorstrategy',
    ],
    because: 'paths and flags of submodules',
  },
  { keys: ['submodule.*.update'], because: 'a word; “!command” would run', value: /^(?:checkout|rebase|merge|none)$/ },
  {
    keys: [
      'status.relativepaths', 'status.short', 'status.branch', 'status.aheadbehind', 'status.displaycommentprefix', 'status.renamelimit',
      'status.renames', 'status.showstash', 'status.showuntrackedfiles', 'status.submodulesummary', 'log.abbrevcommit', 'log.date', 'log.decorate',
      'log.excludedecoration', 'log.initialdecorationset', 'log.diffmerges', 'log.follow', 'log.graphcolors', 'log.mailmap', 'log.showroot',
      'log.showsignature', 'blame.blankboundary', 'blame.coloring', 'blame.date', 'blame.showemail', 'blame.showroot', 'blame.ignorerevsfile',
      'blame.markunblamablelines', 'blame.markignoredlines', 'grep.linenumber', 'grep.column', 'grep.patterntype', 'grep.extendedregexp',
      'grep.fullname', 'grep.threads', 'tag.sort', 'versionsort.suffix', 'versionsort.prereleasesuffix', 'column.ui', 'column.branch',
      'column.status', 'column.tag', 'color.ui', 'color.status', 'color.diff', 'color.branch', 'color.grep', 'mailmap.file', 'mailmap.blob',
      'notes.displayref', 'notes.rewriteref', 'format.pretty', 'i18n.commitencoding', 'i18n.logoutputencoding',
    ],
    because: 'how output looks',
  },
  {
    keys: [
      'diff.renames', 'diff.renamelimit', 'diff.algorithm', 'diff.context', 'diff.interhunkcontext', 'diff.ignoresubmodules', 'diff.indentheuristic',
      'diff.mnemonicprefix', 'diff.noprefix', 'diff.srcprefix', 'diff.dstprefix', 'diff.orderfile', 'diff.relative', 'diff.statgraphwidth',
      'diff.statnamewidth', 'diff.submodule', 'diff.suppressblankempty', 'diff.wordregex', 'diff.wserrorhighlight', 'diff.colormoved',
      'diff.colormovedws', 'diff.dirstat', 'diff.autorefreshindex', 'diff.trustexitcode', 'diff.*.xfuncname', 'diff.*.funcname', 'diff.*.binary',
      'diff.*.wordregex', 'diff.*.algorithm',
    ],
    because: 'how differences look; diff.external and the command and textconv of a driver are programs and left out',
  },
  {
    keys: [
      'merge.conflictstyle', 'merge.renames', 'merge.renamelimit', 'merge.directoryrenames', 'merge.ff', 'merge.log', 'merge.stat', 'merge.autostash',
      'merge.verbosity', 'rerere.enabled', 'rerere.autoupdate', 'pull.rebase', 'pull.ff', 'push.default', 'push.followtags', 'push.autosetupremote',
      'fetch.prune', 'fetch.prunetags', 'fetch.parallel', 'fetch.writecommitgraph', 'rebase.autosquash', 'rebase.autostash', 'rebase.updaterefs',
      'rebase.stat', 'rebase.missingcommitscheck', 'stash.showpatch', 'stash.showstat', 'stash.showincludeuntracked', 'commit.cleanup',
      'commit.status', 'commit.verbose', 'commit.gpgsign', 'tag.gpgsign', 'tag.forcesignannotated', 'gpg.format', 'init.defaultbranch',
      'init.defaultrefformat', 'init.defaultobjectformat',
    ],
    because: 'flags and words for commands; without the one for signing, a commit would silently be unsigned',
    value: WORD,
  },
  { keys: ['commit.template'], because: 'a path', value: PATH },
  {
    keys: [
      'user.name', 'user.email', 'user.useconfigonly', 'author.name', 'author.email', 'committer.name', 'committer.email',
    ],
    because: 'the name in commits; user.signingKey and unknown keys are left out',
  },
  {
    keys: [
      'gc.auto', 'gc.autopacklimit', 'gc.autodetach', 'gc.pruneexpire', 'gc.reflogexpire', 'gc.reflogexpireunreachable', 'maintenance.auto',
      'maintenance.strategy', 'pack.threads', 'pack.windowmemory', 'pack.writereverseindex', 'repack.usedeltabaseoffset', 'repack.writebitmaps',
      'receive.denycurrentbranch', 'receive.denynonfastforwards', 'receive.denydeletes', 'transfer.fsckobjects', 'fetch.fsckobjects',
      'receive.fsckobjects', 'uploadpack.allowfilter', 'uploadpack.allowanysha1inwant', 'protocol.version', 'lfs.repositoryformatversion',
    ],
    because: 'numbers, expiry times, and flags',
    value: WORD,
  },
  {
    keys: [
      'filter.lfs.clean', 'filter.lfs.smudge', 'filter.lfs.process', 'filter.lfs.required',
    ],
    because: 'Git LFS as “git lfs install” writes it (git-lfs-install(1)); without it, large files would be committed as they are',
    value: /^(?:git-lfs (?:clean|smudge)(?: --skip)? -- %f|git-lfs filter-process(?: --skip)?|true)$/,
  },
];

interface KnownKey {
  readonly value: RegExp | undefined;
}

const KNOWN: ReadonlyMap<string, KnownKey> = new Map(HARMLESS_KEYS.flatMap(({ keys, value }) => keys.map((key): [string, KnownKey] => [key, { value }])));

/** One setting, as `git config --list` names it. */
export interface GitConfigEntry {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  /** Left out for a key without `=`, which means “true”. */
  readonly value: string | undefined;
}

/** A setting as a copy has it, without user info in addresses; `undefined` for one that the copy does not have. */
export function harmless({ section, subsection, key, value }: GitConfigEntry): GitConfigEntry | undefined {
  const known = subsection === undefined ? KNOWN.get(`${section}.${key}`) : (KNOWN.get(`${section}.${subsection}.${key}`) ?? KNOWN.get(`${section}.*.${key}`));
  if (known === undefined || known.value?.test(value ?? '') === false) return undefined;
  const plain = (text: string | undefined): string | undefined => (text === undefined ? undefined : withoutUserInfo(text));
  return { section, subsection: plain(subsection), key, value: plain(value) };
}
