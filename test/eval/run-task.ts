import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { textContent } from '../../src/domain/model/message-helpers.js';
import type { Gate } from '../../src/domain/tool/permission.js';
import type { ModelInfo, Provider } from '../../src/domain/model/provider.js';
import { createAgentSession } from '../../src/engine/live-session.js';
import type { Turn } from '../../src/engine/events.js';
import { systemPrompt } from '../../src/engine/system-prompt.js';
import { createDiskDocuments } from '../../src/node/files/disk-documents.js';
import { createProcesses } from '../../src/node/process/processes.js';
import { createRipgrepSearch } from '../../src/node/search/ripgrep.js';
import { createWorkspace } from '../../src/node/files/workspace.js';
import { createTools } from '../../src/tool/index.js';
import { memorySession } from '../support/memory-session.js';
import type { CheckedWorkspace, EvalTask } from './task.js';

/** What came of a task. */
export interface EvalResult {
  readonly task: string;
  /** Why it counts as failed; absent when it is solved. */
  readonly problem?: string;
  readonly turn: Turn;
}

/** Makes the model of a task, once its folder is known. */
export type ModelMaker = (folder: string) => { readonly provider: Provider; readonly model: ModelInfo };

/** Milliseconds that a script of a check may take. */
const CHECK_LIMIT_MS = 30_000;
const MAX_ROUNDS = 25;

/** Runs a task in a folder of its own with the real tools. Everything that the agent asks for inside that folder is allowed. */
export async function runTask(task: EvalTask, make: ModelMaker): Promise<EvalResult> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-eval-')));
  const folder = join(home, 'workspace');
  await writeFiles(folder, task.files);
  const processes = createProcesses({ logFolder: join(home, 'logs'), env: process.env });
  try {
    const workspace = createWorkspace(() => [{ name: 'workspace', path: folder }], home);
    const tools = createTools({ workspace, documents: createDiskDocuments(), search: createRipgrepSearch(() => Promise.resolve(rgPath)), processes });
    const session = createAgentSession({
      ...make(folder),
      ...memorySession({ systemPrompt: systemPrompt(`Workspace folders: workspace: ${folder}`), tools, gate: gateOf(folder), maxRounds: MAX_ROUNDS }),
    });
    const turn = await session.send([{ type: 'text', text: task.prompt }]).turn;
    await session.close();
    const problem = turn.end === 'end_turn' ? await task.check(checked(folder, turn)) : `The turn ended with ${turn.end}: ${String(turn.error)}`;
    return { task: task.name, turn, ...(problem === undefined ? {} : { problem }) };
  } finally {
    processes.dispose();
    await rm(home, { recursive: true, force: true });
  }
}

/** Files get older from first to last, so that tools that sort by time always answer alike. */
async function writeFiles(folder: string, files: EvalTask['files']): Promise<void> {
  await mkdir(folder, { recursive: true });
  const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
  for (const [index, [path, text]] of Object.entries(files).entries()) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    await utimes(target, start - index, start - index);
  }
}

/** Keeps the agent in the folder of the task. Commands run: what they do there is the point. */
function gateOf(folder: string): Gate {
  const outside = (target: string): boolean => target.startsWith('/') && !target.startsWith(folder);
  return {
    judge: ({ plan }) => {
      const leaves = plan.accesses.some(({ kind, target }) => kind === 'network' || (kind !== 'execute' && outside(target)));
      return Promise.resolve(leaves ? { type: 'deny', denial: { kind: 'nothing_allows' } } : { type: 'allow', reason: 'a task' });
    },
    remember: () => Promise.resolve(),
  };
}

function checked(folder: string, turn: Turn): CheckedWorkspace {
  const last = turn.messages.at(-1);
  return {
    said: last?.role === 'assistant' ? textContent(last) : '',
    read: (path) => readFile(join(folder, path), 'utf8').catch(() => undefined),
    node: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [...args], { cwd: folder, timeout: CHECK_LIMIT_MS }, (error, stdout, stderr) => {
          resolve({ ok: error === null, output: stdout + stderr });
        });
      }),
  };
}
