import { ownSession } from '../../../../src/domain/session/identity.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import type { Diagnostic, SymbolPlace } from '../../../../src/domain/workspace/code-intelligence.js';
import { type Documents, pathsOfChange } from '../../../../src/domain/workspace/documents.js';
import type { PermissionMode, PermissionRule } from '../../../../src/domain/tool/permission.js';
import type { Tool, ToolResult } from '../../../../src/domain/tool/tool.js';
import type { MayShow, Search } from '../../../../src/domain/workspace/search.js';
import type { AwaitingApproval } from '../../../../src/engine/events.js';
import { Approvals } from '../../../../src/engine/tool-call/approvals.js';
import { SessionHooks, type SessionHooksOptions } from '../../../../src/engine/hooks/session-hooks.js';
import { runToolCalls } from '../../../../src/engine/tool-call/scheduler.js';
import { createPlainSearch } from '../../../../src/node/search/plain-search.js';
import { createReadGuard } from '../../../../src/permission/files/read-guard.js';
import { createGate } from '../../../../src/permission/gate.js';
import { createTools } from '../../../../src/tool/index.js';
import { createReportTool } from '../../../../src/vscode/code-review/report-tool.js';
import { HELD } from '../../../support/sandboxes.js';
import { createMemoryWorkspace, type MemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { ruleOf } from '../../permission/rig.js';
import { stubAnalyzer } from '../../permission/stub-analyzer.js';
import { MemoryLog } from '../rig.js';

/** A file that the session has not read and may not read without a question. */
export interface Canary {
  /** Absolute path, links resolved. */
  readonly path: string;
  readonly rules?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
}

/** What differs from one world to another. */
export interface World {
  /** The text of the canary; absent: it is not there. */
  readonly text?: string;
  readonly mode?: PermissionMode;
  readonly trusted?: boolean;
  /** Whether a rule lets the canary be touched. */
  readonly permitted?: true;
  /** What the user answers to each prompt. Left out: they deny. */
  readonly answer?: 'allow' | 'deny';
  /** The hooks of the session. Left out: there are none. */
  readonly hooks?: SessionHooksOptions;
  /** What happens while a prompt is open. */
  readonly meanwhile?: (change: Change) => void;
}

/** What can change while a prompt is open. */
export interface Change {
  readonly rules: PermissionRule[];
  mode: PermissionMode;
  trusted: boolean;
}

/** What came of calls: what the model sees, and each prompt that the user saw. */
export interface Outcome {
  readonly results: readonly ToolResult[];
  readonly prompts: readonly AwaitingApproval[];
  readonly memory: MemoryWorkspace;
  /** What was done to the canary before the user had allowed anything. */
  readonly touched: readonly string[];
}

/** Other files of the workspace: an ordinary one, with names near that of the canary. */
const OTHERS = {
  '/ws/src/use.ts': 'import x from "../credentials.json";\nconst password = 1;\n',
  '/ws/README.md': 'Read me.\n',
  '/ws/config/app.json': '{}\n',
  '/ws/private/notes.md': 'Notes.\n',
};

/** Runs calls of one answer through the engine, the real gate, and the real tools. */
export async function callIn(canary: Canary, world: World, ...calls: readonly (readonly [string, unknown])[]): Promise<Outcome> {
  const memory = createMemoryWorkspace({ files: { ...OTHERS, ...(world.text === undefined ? {} : { [canary.path]: world.text }) }, links: canary.links ?? {} });
  const change: Change = { rules: (canary.rules ?? []).map(ruleOf), mode: world.mode ?? 'default', trusted: world.trusted ?? true };
  const unchanged = (): Promise<never> => Promise.reject(new Error('No rule is changed here.'));
  const book = { rules: () => change.rules, add: unchanged, update: unchanged };
  const files = { workspace: memory.workspace, home: '/home/user', caseInsensitive: false, rules: book };
  const touched: string[] = [];
  let allowed = world.permitted === true;
  const touch = (path: string, how: string): void => {
    if (allowed || !isBelow(canary.path, path)) return;
    touched.push(`${how} ${path}`);
    throw new Error(`${how} of ${path}, which nobody has allowed`);
  };
  const readGuard = (): Promise<MayShow> => createReadGuard(files);
  const documents = watched(memory.documents, touch);
  const gate = createGate({
    ...files,
    documents: isSecretByName(canary) ? documents : memory.documents,
    sandbox: HELD,
    analyzer: () => Promise.resolve(stubAnalyzer),
    trusted: () => change.trusted,
  });
  const tools = toolsOf({ memory, documents, readGuard, touch }, canary, world);
  const prompts: AwaitingApproval[] = [];
  const approvals = new Approvals();
  const controller = new AbortController();
  const results: ToolResult[] = [];
  const mode = (): PermissionMode => change.mode;
  const turn = { grants: [], stopTurn: () => undefined, stopped: () => false, signal: controller.signal, denied: () => undefined, messageIndex: 0 };
  const shared = {
    sessionId: 's',
    tools,
    gate,
    approvals,
    purse: createPurse(() => ({})),
    mode,
    modes: { may: () => false, set: () => undefined },
    log: new MemoryLog(),
    ...turn,
  };
  const hooks = new SessionHooks({ options: world.hooks, who: ownSession('s'), messages: [], mode, agent: () => undefined, emit: () => undefined });
  await runToolCalls(
    calls.map(([name, args], index) => ({ type: 'tool_call', id: `c${index}`, name, arguments: JSON.stringify(args) })),
    {
      ...shared,
      hooks,
      emit: (event) => {
        if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return;
        prompts.push(event.state);
        queueMicrotask(() => {
          world.meanwhile?.(change);
          allowed ||= world.answer === 'allow';
          approvals.answer(event.callId, { type: world.answer ?? 'deny' });
        });
      },
    },
    (_call, given) => {
      results.push(given);
      return Promise.resolve();
    },
  );
  return { results, prompts, memory, touched };
}

type Touch = (path: string, how: string) => void;

/** Files of which the canary cannot be touched. */
function watched(documents: Documents, touch: Touch): Documents {
  return {
    stat: (path, signal) => (touch(path, 'stat'), documents.stat(path, signal)),
    read: (path, signal) => (touch(path, 'read'), documents.read(path, signal)),
    readLines: (path, range, signal) => (touch(path, 'read'), documents.readLines(path, range, signal)),
    list: (path, limit, signal) => (touch(path, 'list'), documents.list(path, limit, signal)),
    apply: (change, signal) => (pathsOfChange(change).forEach((path) => touch(path, 'write')), documents.apply(change, signal)),
    delete: (change, signal) => (touch(change.path, 'write'), documents.delete(change, signal)),
  };
}

/**
 * Of a file whose name says that it is secret, not even the gate finds out more. Of others it asks whether they are folders, which the rule
 * that it proposes to the user depends on.
 */
function isSecretByName({ rules }: Canary): boolean {
  return rules === undefined;
}

interface Ports {
  readonly memory: MemoryWorkspace;
  readonly documents: Documents;
  readonly readGuard: () => Promise<MayShow>;
  readonly touch: Touch;
}

/** All tools, with servers that know what is in the canary. */
function toolsOf(ports: Ports, { path }: Canary, { text }: World): readonly Tool[] {
  const { memory, documents, readGuard, touch } = ports;
  const there = (text ?? '').split('\n').flatMap((words, index) => (words === '' ? [] : [{ path, line: index + 1, column: 1, name: words }]));
  const known = { path: '/ws/src/use.ts', line: 2, column: 7, name: 'password' };
  const places = (): Promise<readonly SymbolPlace[]> => Promise.resolve([known, ...there]);
  const problems: readonly Diagnostic[] = there.map((place) => ({ ...place, severity: 'error', message: `bad: ${place.name}` }));
  const unused = (): never => {
    throw new Error('This port is not to be used.');
  };
  const tools = createTools({
    ...memory,
    documents,
    readGuard,
    search: searchOf(ports),
    diagnostics: { current: (below) => problems.filter((each) => below === undefined || isBelow(below, each.path)), settled: () => Promise.resolve() },
    symbols: { definitions: places, references: places, search: places, outline: (file) => Promise.resolve(there.filter((place) => place.path === file)) },
    questions: { ask: unused },
    webPages: { get: unused },
    jobs: { start: unused, list: () => [], output: unused, kill: unused, close: unused, settled: unused, news: () => [] },
  });
  const lineCount = (file: string): Promise<number> => (touch(file, 'read'), Promise.resolve(3));
  return [...tools, createReportTool({ workspace: memory.workspace, readGuard, lineCount, known: () => [], report: () => undefined })];
}

/** A search that opens files as those of the window do: only where the guard lets it. */
function searchOf({ memory, readGuard, touch }: Ports): Search {
  const { documents } = memory;
  return createPlainSearch({
    list: (folder) => Promise.resolve(documents.paths().filter((path) => isBelow(folder, path))),
    read: async (path) => {
      if (!(await readGuard())(path)) return undefined;
      touch(path, 'search');
      return documents.text(path);
    },
    modified: (path) => (touch(path, 'stat'), Promise.resolve(0)),
  });
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`);
}
