import type { CommandOutcome } from '../../domain/workspace/processes.js';
import type { Confinement } from '../../domain/workspace/sandbox.js';
import { redactAddresses } from '../../text/redact.js';
import { count } from '../../text/show.js';

/** Process ids that are named; of more, the first. */
const MAX_IDS = 10;

/** What the words about a command depend on beside its outcome. */
interface Circumstances {
  readonly timeoutMs: number;
  /** The folder it ran in, when it is not the one that commands run in otherwise. */
  readonly elsewhere: string | undefined;
  readonly canBackground: boolean;
  /** How the sandbox held it, when it did. */
  readonly confined: Confinement | undefined;
}

/** What programs say when they may not do or find something, which can be the doing of the sandbox. */
const HINDERED = /permission denied|operation not permitted|read-only file system|no such file or directory|command not found|not a git repository|dubious ownership|could not resolve|name resolution|among the hosts of the setting|network is unreachable|connection refused|cannot open|bwrap: /i;

/** The output of a command and how it ended, line by line. */
export function commandReport(outcome: CommandOutcome, circumstances: Circumstances): readonly string[] {
  // Of what ran unasked, nobody was asked whether the model may see what it shows.
  const output = circumstances.confined !== undefined && circumstances.confined.work === undefined ? redactAddresses(outcome.output.trimEnd()) : outcome.output.trimEnd();
  return [
    output === '' ? '(no output)' : output,
    ...logLines(outcome),
    ...leftoverLines(outcome, circumstances.canBackground),
    ...sandboxLines(outcome, circumstances),
    `[${ending(outcome, circumstances)}]`,
  ];
}

function logLines({ logFile, logProblem, omittedBytes }: CommandOutcome): readonly string[] {
  if (logFile === undefined) return [];
  const left = `${count(omittedBytes, 'byte')} left out`;
  if (logProblem === undefined) return [`[${left}; the whole output is in ${logFile}]`];
  return [`[${left}; only a part of it is in ${logFile}: ${logProblem}]`];
}

/** What became of background processes (`command &`). */
function leftoverLines({ leftBehind, detached = [] }: CommandOutcome, canBackground: boolean): readonly string[] {
  const lines: string[] = [];
  if (leftBehind === true) {
    const advice = canBackground ? ' To keep a command running, call bash with background: true.' : '';
    lines.push(`[What was still running in the background was ended with the command.${advice}]`);
  }
  if (detached.length > 0) {
    const ids = detached.slice(0, MAX_IDS).join(', ');
    lines.push(`[Started as a daemon or with setsid, so not ended with the command: ${detached.length === 1 ? 'process' : 'processes'} ${ids}]`);
  }
  return lines;
}

/** A failure that may be the doing of the sandbox says so, with the way out. */
function sandboxLines({ exitCode, output }: CommandOutcome, { confined }: Circumstances): readonly string[] {
  if (confined === undefined || exitCode === 0 || !HINDERED.test(output)) return [];
  return [`[It ran in a sandbox: it could ${couldDo(confined)}. If that is why it failed, call bash again with unsandboxed: true; the user is asked then.]`];
}

function couldDo({ work }: Confinement): string {
  if (work === undefined) return 'read the workspace but no files of secrets, write nothing and reach no network';
  const reached = work.hosts.includes('*') ? 'reach the network' : `reach ${work.hosts.length === 0 ? 'no network' : `no hosts but ${work.hosts.join(', ')}`}`;
  return `change the workspace, /tmp and caches but not .git/config, hooks and .vscode, read no files of secrets, and ${reached}`;
}

function ending(outcome: CommandOutcome, { timeoutMs, elsewhere }: Circumstances): string {
  const took = `after ${(outcome.durationMs / 1000).toFixed(1)} s${elsewhere === undefined ? '' : ` in ${elsewhere}`}`;
  if (outcome.cancelled) return `stopped on request ${took}`;
  if (outcome.timedOut) return `time limit of ${timeoutMs / 1000} s reached; the command and everything it started were killed`;
  if (outcome.exitCode !== undefined) return `exit code ${outcome.exitCode} ${took}`;
  return `killed by ${outcome.signal ?? 'a signal'} ${took}`;
}
