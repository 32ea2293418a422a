import type { CommandRisk } from '../../domain/tool/permission.js';
import { t } from '../../domain/l10n.js';

/** A kind of harm: how bad it is, and the words for it. They continue “This command …”. */
interface Kind {
  readonly level: CommandRisk['level'];
  readonly text: () => string;
}

/** All that is named, the worst first. docs/permissions.md lists these kinds, and a test compares. */
export const KINDS = {
  overwritesDisk: { level: 'danger', text: () => t('formats or overwrites a disk') },
  deletesOutside: { level: 'danger', text: () => t('deletes outside the workspace') },
  deletesWorkspace: { level: 'danger', text: () => t('deletes the whole workspace') },
  deletesHistory: { level: 'danger', text: () => t('deletes the Git history') },
  sendsSecrets: { level: 'danger', text: () => t('sends a file with secrets over the network') },
  opensShell: { level: 'danger', text: () => t('lets another machine run commands') },
  runsHidden: { level: 'danger', text: () => t('runs hidden code') },
  runsDownload: { level: 'danger', text: () => t('downloads a script and runs it') },
  changesLogin: { level: 'danger', text: () => t('changes what runs at login') },
  changesStartup: { level: 'danger', text: () => t('changes what runs at startup') },
  changesSchedule: { level: 'danger', text: () => t('changes what runs on a schedule') },
  changesHooks: { level: 'danger', text: () => t('changes what runs on every commit') },
  changesKeys: { level: 'danger', text: () => t('changes keys or access rights') },
  changesSystem: { level: 'danger', text: () => t('changes system files') },
  runsAsAdministrator: { level: 'danger', text: () => t('runs as administrator') },
  runsAsOther: { level: 'danger', text: () => t('runs as another user') },
  stopsMachine: { level: 'danger', text: () => t('shuts down or restarts the machine') },
  destroysInfrastructure: { level: 'danger', text: () => t('deletes servers, services, or their data') },
  forcesPush: { level: 'danger', text: () => t('overwrites commits on a remote') },
  discardsChanges: { level: 'danger', text: () => t('discards uncommitted changes') },
  publishes: { level: 'danger', text: () => t('publishes a package') },
  publishesRelease: { level: 'danger', text: () => t('publishes a release') },
  changesPrograms: { level: 'caution', text: () => t('changes a file that can run code') },
  changesOutside: { level: 'caution', text: () => t('changes files outside the workspace') },
  readsSecrets: { level: 'caution', text: () => t('reads a file with secrets') },
  sendsFiles: { level: 'caution', text: () => t('sends files over the network') },
  runsUnknown: { level: 'caution', text: () => t('runs commands that are only known at runtime') },
  deletesData: { level: 'caution', text: () => t('may delete data') },
  deletesMany: { level: 'caution', text: () => t('may delete many files') },
  deletesRemote: { level: 'caution', text: () => t('deletes a branch or tag on a remote') },
  changesInfrastructure: { level: 'caution', text: () => t('changes servers or services') },
  runsPackage: { level: 'caution', text: () => t('downloads and runs a package') },
  mayRunPackage: { level: 'caution', text: () => t('may download and run a package') },
  installsFromNetwork: { level: 'caution', text: () => t('installs from the network') },
  installsOutside: { level: 'caution', text: () => t('installs programs outside the workspace') },
  runsElsewhere: { level: 'caution', text: () => t('runs commands on another machine') },
  pushes: { level: 'caution', text: () => t('pushes to a remote') },
  deletesBranch: { level: 'caution', text: () => t('deletes commits, branches, or tags') },
  rewritesCommits: { level: 'caution', text: () => t('rewrites commits') },
  changesGit: { level: 'caution', text: () => t('makes Git run another program') },
  opensPermissions: { level: 'caution', text: () => t('lets everyone change files') },
  changesPermissions: { level: 'caution', text: () => t('changes the permissions of many files') },
  endsPrograms: { level: 'caution', text: () => t('ends running programs') },
  changesServices: { level: 'caution', text: () => t('changes system services') },
  staysRunning: { level: 'caution', text: () => t('leaves a program running in the background') },
} as const satisfies Readonly<Record<string, Kind>>;

/** The name of one of {@link KINDS}. */
export type RiskKind = keyof typeof KINDS;

/** Whether a name is that of a kind. */
export function isRiskKind(name: string): name is RiskKind {
  return Object.hasOwn(KINDS, name);
}

/** The worst of some kinds. */
export function worstOf(kinds: readonly RiskKind[]): RiskKind | undefined {
  const found = new Set(kinds);
  return ORDER.find((kind) => found.has(kind));
}

const ORDER = Object.keys(KINDS) as readonly RiskKind[];
