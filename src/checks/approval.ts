import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Check } from '../domain/check.js';
import type { ApprovalKind } from '../domain/host/approvals.js';
import type { Bound } from '../domain/workspace/binding.js';
import { anyOf } from '../text/any-of.js';
import { quoted, usedFileLine, usedFolderLine } from '../text/approved-text.js';
import { isSteering } from '../text/command-line/programs.js';
import type { TouchedFile } from './changed-by-run.js';
import type { FollowedScript } from './package-scripts.js';

/** That the user has approved a check, as it was then. */
export interface CheckApproval {
  /** Id of the check. */
  readonly check: string;
  /** Readable text of what was approved: everything that decides what the check runs. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Verdict of approvals on a check as it is now. `before` is the version that was approved last. */
export type CheckStanding = { readonly state: 'approved' } | { readonly state: 'new' } | { readonly state: 'changed'; readonly before: string };

const approval = z.object({ check: z.string(), text: z.string(), at: z.number() });

/** Checks, each as it was when it was approved. */
export const CHECK_APPROVALS: ApprovalKind<CheckApproval> = {
  name: 'check',
  most: 300,
  perWorkspace: true,
  read: (value) => approval.safeParse(value).data,
  subjectOf: ({ text }) => createHash('sha256').update(text).digest('hex'),
  earlier: () => [],
};

/** Whether the user has approved a check exactly as it is. */
export function standingOf({ id }: Check, text: string, approvals: readonly CheckApproval[]): CheckStanding {
  if (approvals.some((each) => each.text === text)) return { state: 'approved' };
  const before = approvals.find(({ check }) => check === id);
  return before === undefined ? { state: 'new' } : { state: 'changed', before: before.text };
}

/** The approvals with another one. */
export function withApproval(approvals: readonly CheckApproval[], { id }: Check, text: string, at: number): readonly CheckApproval[] {
  return [{ check: id, text, at }, ...approvals.filter((each) => each.text !== text)];
}

/** A variable by which programs find what they load, and a fingerprint of its value, which may be nobody’s business. */
export interface SteeringVariable {
  readonly name: string;
  /** Of its value, in hex. */
  readonly sha256: string;
}

/**
 * Variables that steer nothing without a network or a terminal, that Gnomon sets itself, or that differ with each sign-in: pam_systemd(8), sshd(8),
 * POSIX.1-2017.
 */
const PASSING = new RegExp(
  `^(?:${anyOf(
    /XDG_(?:RUNTIME_DIR|SESSION_.*|SEAT.*|VTNR|ACTIVATION_TOKEN|CURRENT_DESKTOP|MENU_PREFIX)|SSH_.*|(?:OLD)?PWD/,
    /.*_PROXY|PAGER|EDITOR|VISUAL|BROWSER|GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|TERMINAL_PROMPT)/,
  )})$`,
  'i',
);
/** A folder with the command-line interface of a remote VS Code, which has another name with each version of it. */
const OF_EDITOR = /[\\/]bin[\\/]remote-cli$/;

/** The variables of an environment that an approval is bound to. @param environment as commands get it */
export function steeringVariables(environment: Readonly<Record<string, string>>): readonly SteeringVariable[] {
  return Object.entries(environment)
    .filter(([name]) => isSteering(name) && !PASSING.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, sha256: createHash('sha256').update(steeringPart(name, value)).digest('hex') }));
}

function steeringPart(name: string, value: string): string {
  if (name !== 'PATH') return value;
  return value
    .split(':')
    .filter((folder) => !OF_EDITOR.test(folder))
    .join(':');
}

/** What decides what a check runs, as it is now. */
export interface CheckFacts {
  readonly scripts: readonly FollowedScript[];
  readonly bound: Pick<Bound, 'files' | 'folders'>;
  readonly environment: readonly SteeringVariable[];
}

/**
 * All that decides what a check runs, for people to read before they approve it: a line for each value, nothing left out and nothing invisible. An
 * approval is for exactly this text.
 */
export function checkText({ id, kind, folder, line, file }: Check, { scripts, bound, environment }: CheckFacts): string {
  const byPath = <T extends { readonly path: string }>(all: readonly T[]): readonly T[] => [...all].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [
    `check: ${quoted(id)} (${kind})`,
    `file: ${quoted(file)}`,
    `folder: ${quoted(folder === '' ? '.' : folder)}`,
    `runs: ${quoted(line)}`,
    ...scripts.map(({ name, line: script }) => `script ${quoted(name)}: ${quoted(script)}`),
    ...byPath(bound.files).map((each) => usedFileLine('file', each)),
    ...byPath(bound.folders).map(usedFolderLine),
    ...environment.map(({ name, sha256 }) => `variable ${quoted(name)}: SHA-256 ${sha256}`),
  ].join('\n');
}

/** What a run has changed of a check, as lines like those of {@link checkText}. @param now the files as they are; those that are gone are not among them */
export function touchedText(touched: readonly TouchedFile[], now: Pick<Bound, 'files'>): string {
  const files = new Map(now.files.map((file) => [file.path, file]));
  return touched
    .map(({ path, as }) => {
      const file = files.get(path);
      const key = as === 'test' ? 'changed test' : 'changed file';
      return file === undefined ? `${key} ${quoted(path)}: (not there)` : usedFileLine(key, file);
    })
    .sort()
    .join('\n');
}
