import { access, mkdir, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { agentNameProblem } from '../../config/agents/agent-name.js';
import type { ChosenAgent } from '../../config/agents/choose.js';
import { newAgentText } from '../../config/agents/write-agent.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { errorMessage } from '../../domain/errors.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { foldersOfWindow } from '../workspace/folders.js';
import type { WindowAgents } from './window-agents.js';

/** Tools of an agent that only looks, as the files of Claude Code name them. */
const READING_TOOLS: readonly string[] = ['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'TodoWrite'];

type Act = { readonly type: 'agent'; readonly chosen: ChosenAgent } | { readonly type: 'problem'; readonly problem: ConfigProblem } | { readonly type: 'new' };
type Item = vscode.QuickPickItem & { readonly act: Act };

/** Lets the user see all agents, use and open one, and create another. @param use has an agent work in the chat that is shown, by its name */
export async function manageAgents(agents: WindowAgents, use: (name: string) => Promise<void>): Promise<void> {
  await agents.read();
  const picked = await vscode.window.showQuickPick(itemsOf(agents), { title: t('Agents'), placeHolder: t('Select an agent to use or to open it'), matchOnDescription: true, matchOnDetail: true });
  if (picked === undefined) return;
  try {
    await carryOut(picked.act, agents, use);
  } catch (error) {
    await vscode.window.showErrorMessage(errorMessage(error));
  }
}

function itemsOf({ agents, problems }: WindowAgents): readonly Item[] {
  return [
    ...agents.map((chosen): Item => ({ label: `$(hubot) ${escapeHidden(chosen.name)}`, description: escapeHidden(chosen.agent.origin.display), detail: [escapeHidden(chosen.agent.description), ...chosen.overridden.map(({ origin, why }) => `${escapeHidden(origin.display)}: ${why}`)].join(' · '), act: { type: 'agent', chosen } })),
    { label: `$(add) ${t('New Agent…')}`, detail: t('Creates a file with an agent of yours or of this workspace.'), act: { type: 'new' } },
    ...problems.map((problem): Item => ({ label: `$(${problem.harmless === true ? 'info' : 'warning'}) ${escapeHidden(problem.message)}`, description: escapeHidden(`${vscode.workspace.asRelativePath(problem.file)}${problem.line === undefined ? '' : `:${problem.line}`}`), act: { type: 'problem', problem } })),
  ];
}

async function carryOut(act: Act, agents: WindowAgents, use: (name: string) => Promise<void>): Promise<void> {
  if (act.type === 'problem') return open(act.problem.file, act.problem.line);
  if (act.type === 'new') return create(agents);
  const { chosen } = act;
  const [useIt, openIt] = [t('Use in Chat'), t('Open File')];
  const answer = await vscode.window.showQuickPick([useIt, openIt], { title: escapeHidden(chosen.name) });
  if (answer === useIt) await use(chosen.name);
  if (answer === openIt) await open(chosen.agent.origin.file, chosen.agent.origin.line);
}

/** Asks for what an agent needs, writes its file, and opens it; any of the questions can be left with Escape. */
async function create(agents: WindowAgents): Promise<void> {
  const title = t('New Agent');
  const name = await vscode.window.showInputBox({ title, prompt: t('Name of the agent'), placeHolder: 'reviewer', validateInput: (value) => agentNameProblem(value.trim()) ?? (agents.find(value.trim()) === undefined ? undefined : t('There is an agent of this name.')) });
  if (name === undefined) return;
  const description = await vscode.window.showInputBox({ title, prompt: t('What it is for'), placeHolder: t('Reviews changes for mistakes'), validateInput: (value) => (value.trim() === '' ? t('Describe the agent in a sentence.') : undefined) });
  if (description === undefined) return;
  const reads = t('Tools that only read');
  const tools = await vscode.window.showQuickPick([{ label: t('All tools'), detail: t('What the chat may do') }, { label: reads, detail: READING_TOOLS.join(', ') }], { title, placeHolder: t('What it may use') });
  if (tools === undefined) return;
  const place = await placeFor(title);
  if (place === undefined) return;
  const file = join(place, '.gnomon', 'agents', `${name.trim()}.md`);
  if (await exists(file)) throw new Error(t('{0} exists already.', file));
  await mkdir(dirname(file), { recursive: true });
  const prompt = t('You are the agent “{0}”. Your task: {1}', name.trim(), description.trim());
  await writeFile(file, newAgentText({ name: name.trim(), description: description.trim(), prompt, ...(tools.label === reads ? { tools: READING_TOOLS } : {}) }), { flag: 'wx' });
  await agents.read();
  await open(file, undefined);
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
