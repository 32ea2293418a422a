import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, release, type as systemName } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { Gate } from '../../src/domain/tool/permission.js';
import type { CommandAnalyzer } from '../../src/domain/tool/command-analysis.js';
import type { Tool } from '../../src/domain/tool/tool.js';
import type { Jobs } from '../../src/domain/workspace/jobs.js';
import type { Processes } from '../../src/domain/workspace/processes.js';
import type { Confinement } from '../../src/domain/workspace/sandbox.js';
import type { ProjectInstructions } from '../../src/engine/agent-session.js';
import { systemPrompt } from '../../src/engine/system-prompt.js';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { isWithin } from '../../src/node/files/within.js';
import { createWorkspace } from '../../src/node/files/workspace.js';
import { createInstructions } from '../../src/node/instructions/instructions.js';
import { createJobs } from '../../src/node/process/jobs.js';
import { createProcesses } from '../../src/node/process/processes.js';
import { type LocalSandbox, createSandbox } from '../../src/node/sandbox/sandbox.js';
import { createRipgrepSearch } from '../../src/node/search/ripgrep.js';
import { createBashAnalyzer } from '../../src/permission/shell/bash-analyzer.js';
import { createTools } from '../../src/tool/index.js';
import { copiesOf } from './workspace.js';

/** What is decided about where tasks are worked on. */
export interface PlaceChoices {
  /** Whether commands run in the sandbox of the operating system. */
  readonly sandboxed: boolean;
  /** Whether commands reach this machine's network. */
  readonly network: boolean;
}

/** The surroundings of an agent in the folder of a task: its tools, what they may do, what it is told. */
export interface Surroundings {
  readonly tools: readonly Tool[];
  readonly gate: Gate;
  readonly processes: Processes;
  readonly jobs: Jobs;
  readonly confined: Confinement | undefined;
  readonly instructions: ProjectInstructions;
  /** Facts and project instructions, as they follow Gnomon's own system prompt. */
  readonly promptEnd: string;
  /** Ends what still runs. */
  close(): Promise<void>;
}

/** Makes them. Nothing of them writes outside of `home`, which contains the workspace. */
export async function createSurroundings(home: string, folder: string, choices: PlaceChoices): Promise<Surroundings> {
  const env = environmentIn(home);
  await mkdir(copiesOf(folder), { recursive: true });
  const sandbox = choices.sandboxed ? sandboxIn(home, [folder, copiesOf(folder)], env) : undefined;
  const settings = { logFolder: join(home, 'logs'), env, ...(sandbox === undefined ? {} : { sandbox }) };
  const [processes, jobs] = [createProcesses(settings), createJobs(settings)];
  const workspace = createWorkspace(() => [{ name: 'workspace', path: folder }], home);
  const documents = createDiskDocuments();
  const search = createRipgrepSearch(() => Promise.resolve(rgPath));
  const finder = createInstructions({
    workspace,
    home,
    trusted: () => true,
    choices: () => ({ own: false, otherTools: true }),
    // Nobody is there to allow what is outside.
    consent: { allows: () => false, ask: () => undefined },
    guards: () => ({ ofRepository: () => true, ofUser: () => true }),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const found = await finder.ofWorkspace(new AbortController().signal);
  const confined: Confinement | undefined = sandbox === undefined ? undefined : { readable: [], work: { hosts: choices.network ? ['*'] : [] } };
  return {
    tools: createTools({ workspace, documents, search, processes, jobs, analyzer, readGuard: () => Promise.resolve(() => true) }),
    gate: gateOf(home, folder, confined),
    processes,
    jobs,
    confined,
    instructions: { workspace: found, finder },
    promptEnd: systemPrompt(factsOf(folder), found.files).slice(systemPrompt('').length),
    async close() {
      await jobs.close();
      sandbox?.dispose();
    },
  };
}

/** By what commands are held here; `undefined` without a sandbox. */
export async function sandboxName(): Promise<string | undefined> {
  const sandbox = sandboxIn('/', [], process.env);
  const state = await sandbox.state();
  sandbox.dispose();
  return state.available ? state.by : undefined;
}

function sandboxIn(home: string, folders: readonly string[], env: NodeJS.ProcessEnv): LocalSandbox {
  const rules = { key: '', mayRead: () => true };
  return createSandbox({ folders: () => folders, readable: [], rules: () => Promise.resolve(rules), storage: join(home, 'storage'), home, env });
}

/** Programs of the system and this Node.js; settings and programs in the user's home directory play no part. */
function environmentIn(home: string): NodeJS.ProcessEnv {
  const system = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !isWithin(homedir(), entry));
  return { ...process.env, HOME: home, PATH: [dirname(process.execPath), ...system].join(delimiter) };
}

/** The same facts as in a window of VS Code. */
function factsOf(folder: string): string {
  const system = `Platform: ${process.platform} (${systemName()} ${release()}, ${process.arch})`;
  return [system, 'Shell of the bash tool: bash', `Working directory: ${folder}`, `Workspace folders: workspace: ${folder}`].join('\n');
}

/** Keeps the agent in the folder of the task. Commands run: what they do there is the point. */
function gateOf(home: string, folder: string, confined: Confinement | undefined): Gate {
  const outside = (kind: string, target: string): boolean => !isWithin(folder, target) && !(kind === 'read' && isWithin(join(home, 'logs'), target));
  return {
    judge: ({ plan }) => {
      const leaves = plan.accesses.some(({ kind, target }) => kind === 'network' || ((kind === 'read' || kind === 'write') && outside(kind, target)));
      if (leaves || (confined !== undefined && plan.unconfined === true)) return Promise.resolve({ type: 'deny', denial: { kind: 'nothing_allows' } });
      return Promise.resolve({ type: 'allow', reason: 'a task', ...(confined === undefined ? {} : { confined }) });
    },
    remember: () => Promise.resolve(),
    update: () => Promise.resolve(),
  };
}

let loaded: Promise<CommandAnalyzer> | undefined;

/** Reads command lines, for tools that tell an answer from a failure in how one ends. */
function analyzer(): Promise<CommandAnalyzer> {
  const folder = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));
  loaded ??= createBashAnalyzer({ runtime: () => readFile(join(folder, 'tree-sitter.wasm')), grammar: () => readFile(join(folder, 'tree-sitter-bash.wasm')) });
  return loaded;
}
