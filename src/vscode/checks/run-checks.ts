import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { askUser } from '../../checks/ask-user.js';
import type { ListedCheck, ListedChecks, ProjectChecks } from '../../checks/project-checks.js';
import { kindLabel, outcomeLabel, reportOf, summaryOf } from '../../checks/report.js';
import type { CheckResult } from '../../domain/check.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { withoutIcons } from '../../text/show.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { localFolders } from '../workspace/folders.js';

/** Without `ids`, it only says something. */
type Item = vscode.QuickPickItem & { readonly ids?: readonly string[] };

/** Where outputs are shown, for the life of the extension host. */
let channel: vscode.OutputChannel | undefined;
/** Whether checks run: they would wait for each other’s caches and ports. */
let running = false;

/** Lets the user choose among the checks of a folder, and runs them. */
export async function runChecks(host: Pick<AgentHost, 'checks'>): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) return;
  const checks = await host.checks();
  const ids = await choose(checks, folder);
  if (ids === undefined) return;
  if (running) {
    await vscodeDialogs.notify('info', t('Checks are running already.'));
    return;
  }
  running = true;
  const results = await run(checks, { folder, ids }).finally(() => (running = false));
  await tell(results);
}

/** Absolute path without links. */
async function chooseFolder(): Promise<string | undefined> {
  const folders = localFolders();
  const [first] = folders;
  if (first === undefined) {
    await vscodeDialogs.notify('info', t('Open a folder first: its checks are run.'));
    return undefined;
  }
  const items = folders.map(({ name, path }) => ({ label: withoutIcons(name), description: path, path }));
  const chosen = folders.length === 1 ? first : await vscode.window.showQuickPick(items, { title: t('Run Checks'), placeHolder: t('Select a folder') });
  return chosen === undefined ? undefined : realpath(chosen.path);
}

/** Shows the list at once, and fills it. Escape stops looking. @returns ids of checks; `undefined` where the user chose nothing */
async function choose(checks: ProjectChecks, folder: string): Promise<readonly string[] | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  const stop = new AbortController();
  Object.assign(pick, { title: t('Run Checks'), placeholder: t('Looking for checks…'), matchOnDescription: true, matchOnDetail: true, busy: true });
  const chosen = new Promise<readonly string[] | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.ids));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  const filled = checks.list(folder, stop.signal).then((listed) => {
    pick.items = itemsOf(listed);
    pick.busy = false;
    pick.placeholder = t('Select what to run');
    return chosen;
  });
  try {
    return await Promise.race([chosen, filled]);
  } finally {
    stop.abort();
    pick.dispose();
  }
}

function itemsOf({ checks, problems }: ListedChecks): readonly Item[] {
  const none: Item = {
    label: `$(info) ${t('No checks were found.')}`,
    detail: t('They are read from package.json, pyproject.toml, Cargo.toml, go.mod, Makefile, and other files.'),
    alwaysShow: true,
  };
  const all: Item = { label: `$(run-all) ${t('All Checks')}`, description: String(checks.length), ids: checks.map(({ check }) => check.id), alwaysShow: true };
  return [
    ...(checks.length === 0 ? [none] : checks.length === 1 ? [] : [all]),
    ...checks.map(itemOf),
    ...problems.map(({ file, message }): Item => ({ label: `$(warning) ${withoutIcons(escapeHidden(file))}`, detail: message })),
  ];
}

function itemOf({ check, standing, last }: ListedCheck): Item {
  const state = { approved: t('approved'), changed: t('changed since you approved it'), new: t('not approved yet') }[standing.state];
  const came = last === undefined ? [] : [t('last: {0}', outcomeLabel(last.outcome))];
  return {
    label: `$(${iconOf(last)}) ${withoutIcons(escapeHidden(check.line))}`,
    description: [kindLabel(check.kind), withoutIcons(escapeHidden(check.file))].join(' · '),
    detail: [state, ...came].join(' · '),
    ids: [check.id],
  };
}

function iconOf(last: CheckResult | undefined): string {
  if (last === undefined) return 'circle-large-outline';
  return { passed: 'pass', failed: 'error', not_checkable: 'circle-slash' }[last.outcome.state];
}

async function run(checks: ProjectChecks, { folder, ids }: { readonly folder: string; readonly ids: readonly string[] }): Promise<readonly CheckResult[]> {
  channel ??= vscode.window.createOutputChannel(t('Gnomon Checks'));
  const shown = channel;
  shown.clear();
  const options = { location: vscode.ProgressLocation.Notification, title: t('Running checks'), cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const begin = ({ line }: CheckResult['check']): void => {
      progress.report({ message: escapeHidden(line) });
      shown.appendLine(`> ${escapeHidden(line)}`);
    };
    const output = (chunk: string): void => shown.append(chunk);
    const results = await checks.run({ folder, ids, ask: askUser(vscodeDialogs), begin, output }, stop.signal);
    shown.appendLine(`\n${reportOf(results, folder)}`);
    return results;
  });
}

async function tell(results: readonly CheckResult[]): Promise<void> {
  const isStopped = results.every(({ outcome }) => outcome.state === 'not_checkable' && (outcome.why === 'cancelled' || outcome.why === 'not_approved'));
  if (isStopped) return;
  const show = t('Show Output');
  const level = results.some(({ outcome }) => outcome.state === 'failed') ? 'warning' : 'info';
  if ((await vscodeDialogs.notify(level, summaryOf(results), show)) === show) channel?.show();
}
