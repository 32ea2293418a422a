import { access, mkdir, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { agentNameProblem } from '../../config/agents/agent-name.js';
import type { ChosenAgent } from '../../config/agents/choose.js';
import { newAgentText } from '../../config/agents/write-agent.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { AbortError, errorMessage } from '../../domain/errors.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { foldersOfWindow } from '../workspace/folders.js';
import type { Clock } from '../../domain/clock.js';
import { isDemo } from '../../domain/demo.js';
import type { Log } from '../../domain/log.js';
import { type AgentWish, writeAgentPrompt } from '../../engine/one-shot/write-agent-prompt.js';
import { modelForWork, type WorkModels } from '../../models/model-task.js';
import type { Agents } from '../../customization/agents.js';

/** Tools of an agent that only looks, as the files of Claude Code name them. */
const READING_TOOLS: readonly string[] = ['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite'];

type Act = { readonly type: 'agent'; readonly chosen: ChosenAgent } | { readonly type: 'problem'; readonly problem: ConfigProblem } | { readonly type: 'new' };
type Item = vscode.QuickPickItem & { readonly act: Act };

/** Services of the agents list: the agents, the chat that can switch to one, and a model that drafts new ones. */
export interface ManageAgentsDeps extends WorkModels {
  readonly agents: Agents;
  /** Has an agent work in the chat that is shown, by its name. */
  readonly use: (name: string) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Lets the user see all agents, use and open one, and create another. */
export async function manageAgents(deps: ManageAgentsDeps): Promise<void> {
  const { agents } = deps;
  await agents.read();
  const picked = await vscode.window.showQuickPick(itemsOf(agents), {
    title: t('Agents'),
    placeHolder: t('Select an agent to use or to open it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  try {
    await carryOut(picked.act, deps);
  } catch (error) {
    if (!(error instanceof AbortError)) await vscode.window.showErrorMessage(errorMessage(error));
  }
}

function itemsOf({ agents, problems }: Agents): readonly Item[] {
  return [
    ...agents.map((chosen): Item => ({
      label: `$(hubot) ${escapeHidden(chosen.name)}`,
      description: escapeHidden(chosen.agent.origin.display),
      detail: [escapeHidden(chosen.agent.description), ...chosen.overridden.map(({ origin, why }) => `${escapeHidden(origin.display)}: ${why}`)].join(' · '),
      act: { type: 'agent', chosen },
    })),
    { label: `$(add) ${t('New Agent…')}`, detail: t('Creates an agent of yours or of this workspace from a description.'), act: { type: 'new' } },
    ...problems.map((problem): Item => ({
      label: `$(${problem.harmless === true ? 'info' : 'warning'}) ${escapeHidden(problem.message)}`,
      description: escapeHidden(`${vscode.workspace.asRelativePath(problem.file)}${problem.line === undefined ? '' : `:${problem.line}`}`),
      act: { type: 'problem', problem },
    })),
  ];
}

async function carryOut(act: Act, deps: ManageAgentsDeps): Promise<void> {
  if (act.type === 'problem') return open(act.problem.file, act.problem.line);
  if (act.type === 'new') return create(deps);
  const { chosen } = act;
  const [useIt, openIt] = [t('Use in Chat'), t('Open File')];
  const answer = await vscode.window.showQuickPick([useIt, openIt], { title: escapeHidden(chosen.name) });
  if (answer === useIt) await deps.use(chosen.name);
  if (answer === openIt) await open(chosen.agent.origin.file, chosen.agent.origin.line);
}

/**
 * Asks for what an agent needs, has a model write its text, and opens that as a file that is not saved yet. Without a model, the description
 * is the text, and the file is there. Any of the questions can be left with Escape.
 */
async function create(deps: ManageAgentsDeps): Promise<void> {
  const { agents } = deps;
  const title = t('New Agent');
  const name = await vscode.window.showInputBox({
    title,
    prompt: t('Name of the agent'),
    placeHolder: 'reviewer',
    validateInput: (value) => agentNameProblem(value.trim()) ?? (agents.find(value.trim()) === undefined ? undefined : t('There is an agent of this name.')),
  });
  if (name === undefined) return;
  const description = await vscode.window.showInputBox({
    title,
    prompt: t('What it is for'),
    placeHolder: t('Reviews changes for mistakes'),
    validateInput: (value) => (value.trim() === '' ? t('Describe the agent in a sentence.') : undefined),
  });
  if (description === undefined) return;
  const reads = t('Tools that only read');
  const tools = await vscode.window.showQuickPick(
    [
      { label: t('All tools'), detail: t('What the chat may do') },
      { label: reads, detail: READING_TOOLS.join(', ') },
    ],
    { title, placeHolder: t('What it may use') },
  );
  if (tools === undefined) return;
  const place = await placeFor(title);
  if (place === undefined) return;
  const file = join(place, '.gnomon', 'agents', `${name.trim()}.md`);
  if (await exists(file)) throw new Error(t('{0} exists already.', file));
  const wish: AgentWish = { name: name.trim(), description: description.trim(), ...(tools.label === reads ? { tools: READING_TOOLS } : {}) };
  const written = await promptFor(wish, deps);
  await mkdir(dirname(file), { recursive: true });
  if (written !== undefined) return showUnsaved(file, newAgentText({ ...wish, prompt: written }));
  await writeFile(file, newAgentText({ ...wish, prompt: t('You are the agent “{0}”. Your task: {1}', wish.name, wish.description) }), { flag: 'wx' });
  await agents.read();
  await open(file, undefined);
}

/** The text of an agent as a model writes it; `undefined` where no model can, which is reported to the user. @throws AbortError when the user stops it */
async function promptFor(wish: AgentWish, deps: ManageAgentsDeps): Promise<string | undefined> {
  const { clock, log } = deps;
  const stop = new AbortController();
  const chosen = await modelForWork('agentPrompt', deps, stop.signal);
  if (isDemo(chosen.model)) return undefined;
  try {
    return await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('{0} is writing the agent…', chosen.model.label), cancellable: true },
      (_progress, token) => {
        token.onCancellationRequested(() => stop.abort());
        return writeAgentPrompt(wish, { ...chosen, clock, log, signal: stop.signal });
      },
    );
  } catch (error) {
    if (stop.signal.aborted) throw new AbortError();
    log.error('The text of an agent was not written', error);
    void vscode.window.showWarningMessage(t('The model could not write the agent, so its description is its text: {0}', errorMessage(error)));
    return undefined;
  }
}

/** Shows the text of a file that the user saves, or not, after they have looked at it. */
async function showUnsaved(file: string, text: string): Promise<void> {
  const uri = vscode.Uri.file(file).with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document);
}

/** The folder that a new agent is for; `undefined` when the user decides for none. */
async function placeFor(title: string): Promise<string | undefined> {
  const folders = foldersOfWindow().map((path) => ({ label: t('This workspace'), description: path, path }));
  const places = [...folders, { label: t('All my workspaces'), description: '~/.gnomon/agents', path: os.homedir() }];
  return (await vscode.window.showQuickPick(places, { title, placeHolder: t('Where it can be used') }))?.path;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function open(file: string, line: number | undefined): Promise<void> {
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(at, at) });
}
