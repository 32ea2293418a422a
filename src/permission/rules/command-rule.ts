import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { escapeCommand, isExactly } from './command-pattern.js';
import { isRule, parseRule } from './rule.js';

/** Programs that do whatever their arguments say: shells, wrappers, deleting and changing files, the network, rights. */
const EXACT_ONLY: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'csh', 'tcsh', 'pwsh', 'powershell', 'cmd', 'busybox', 'toybox', 'eval', 'exec', 'source', '.'],
  ...['env', 'timeout', 'nice', 'ionice', 'nohup', 'setsid', 'stdbuf', 'time', 'command', 'builtin', 'xargs', 'parallel', 'watch', 'script', 'strace'],
  ...['sudo', 'su', 'doas', 'pkexec', 'chroot', 'unshare', 'ssh', 'scp', 'sftp', 'rsync', 'curl', 'wget', 'nc', 'ncat', 'netcat', 'telnet', 'ftp', 'socat'],
  ...['ping', 'dig', 'nslookup', 'host', 'getent', 'rm', 'rmdir', 'unlink', 'shred', 'mv', 'cp', 'ln', 'dd', 'tee', 'touch', 'mkdir', 'install', 'truncate'],
  ...['chmod', 'chown', 'chgrp', 'kill', 'pkill', 'killall', 'awk', 'gawk', 'mawk', 'sed', 'find', 'tar', 'unzip', 'zip', 'patch', 'crontab', 'at', 'systemctl'],
  ...['osascript', 'open', 'xdg-open', 'gdb', 'vim', 'vi', 'ex', 'ed', 'emacs', 'nano', 'less', 'more', 'man', 'printf', 'echo', 'expect', 'tclsh'],
]);

/** Programs that run the script they are given. */
const INTERPRETERS = /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|rscript|julia|java)$/i;

/** Programs that do many things, and say which in their first word. */
const MANY_SIDED: ReadonlySet<string> = new Set([
  ...['git', 'svn', 'hg', 'jj', 'gh', 'glab', 'npm', 'pnpm', 'yarn', 'npx', 'pnpx', 'bunx', 'uv', 'uvx', 'pip', 'pip3', 'pipx', 'poetry', 'bundle', 'composer'],
  ...['docker', 'podman', 'kubectl', 'helm', 'terraform', 'aws', 'az', 'gcloud', 'cargo', 'go', 'dotnet', 'swift', 'zig', 'make', 'just', 'task', 'rake', 'gradle'],
  ...['mvn', 'nx', 'turbo', 'bazel', 'brew', 'apt', 'apt-get', 'dnf', 'yum', 'pacman', 'nix', 'mise', 'asdf'],
]);

/** First words whose meaning depends on the second. */
const GROUPS: ReadonlySet<string> = new Set(['run', 'compose', 'stash', 'remote', 'submodule', 'worktree', 'workspace', 'tool', 'pr', 'issue', 'repo']);

/** First words with which a program runs, downloads, deletes or configures anything at all. */
const EXACT_VERBS: ReadonlySet<string> = new Set([
  ...['install', 'i', 'ci', 'add', 'exec', 'x', 'dlx', 'config', 'set', 'eval', 'ssh', 'login', 'publish', 'create', 'init', 'filter-branch', 'api'],
  ...['reset', 'clean', 'checkout', 'restore', 'rm', 'delete', 'apply', 'am', 'uninstall', 'remove'],
]);

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;
const SUBCOMMAND = /^[a-z][a-z\d:_-]*$/i;
const SCRIPT = /^[\w@./][\w@:./+-]*$/;

/** The prefix rule for a command with any further arguments, as written; `undefined` where that would allow too much. */
export function prefixRule({ words }: SimpleCommand): string | undefined {
  const [name, first, second] = words;
  if (name === undefined || !PLAIN_WORD.test(name)) return undefined;
  const program = name.replace(/^.*[/\\]/, '');
  if (EXACT_ONLY.has(program.toLowerCase())) return undefined;
  const kept = INTERPRETERS.test(program) ? scriptWords(first, second) : commandWords(program, first, second);
  return kept === undefined ? undefined : checked(`Bash(${[name, ...kept].join(' ')}:*)`);
}

/** The rule for exactly a text; `undefined` when it cannot be written in one line. */
export function exactRule(text: string): string | undefined {
  const rule = checked(`Bash(${escapeCommand(text.trim())})`);
  const parsed = rule === undefined ? undefined : parseRule(rule);
  const same = parsed !== undefined && isRule(parsed) && parsed.about === 'command' && parsed.pattern !== undefined && isExactly(parsed.pattern, text);
  return same ? rule : undefined;
}

/** An interpreter with its script or module. */
function scriptWords(first: string | undefined, second: string | undefined): readonly string[] | undefined {
  if (first === '-m' && second !== undefined && SCRIPT.test(second)) return [first, second];
  if (first === 'run') return second !== undefined && SCRIPT.test(second) ? [first, second] : undefined;
  return first !== undefined && SCRIPT.test(first) && /[./]/.test(first) ? [first] : undefined;
}

function commandWords(program: string, first: string | undefined, second: string | undefined): readonly string[] | undefined {
  if (first === undefined || !SUBCOMMAND.test(first)) return MANY_SIDED.has(program) ? undefined : [];
  if (EXACT_VERBS.has(first)) return undefined;
  if (!GROUPS.has(first)) return [first];
  return second !== undefined && SCRIPT.test(second) ? [first, second] : undefined;
}

function checked(rule: string): string | undefined {
  return isRule(parseRule(rule)) ? rule : undefined;
}
