import { readFile } from 'node:fs/promises';
import type { Judgment } from '../../src/domain/tool/permission.js';
import { createWorkspace } from '../../src/node/files/workspace.js';
import { createGate } from '../../src/permission/gate.js';
import { createBashAnalyzer } from '../../src/permission/shell/bash-analyzer.js';
import { COMMAND_ROWS } from '../unit/safety/command-rows.js';
import { type Figure, medianFigure } from './figure.js';
import { HELD } from '../support/sandboxes.js';

const WASM = 'node_modules/@vscode/tree-sitter-wasm/wasm';
const ROUNDS = 10;
/** Longer commands are for the second figure. */
const ORDINARY = 500;
const MEGABYTE = 1_000_000;

/** What deciding about a command costs once the grammar is loaded: each of the safety table, and one of 1 MB. */
export async function measureCommands(): Promise<readonly Figure[]> {
  const loading = performance.now();
  const analyzer = await createBashAnalyzer({ runtime: () => readFile(`${WASM}/tree-sitter.wasm`), grammar: () => readFile(`${WASM}/tree-sitter-bash.wasm`) });
  const loadMs = performance.now() - loading;
  const workspace = createWorkspace(() => [{ name: 'ws', path: process.cwd() }], process.cwd());
  const gate = createGate({
    sandbox: HELD,
    workspace,
    caseInsensitive: false,
    home: '/home/user',
    rules: { rules: () => [{ effect: 'allow', text: 'Bash(npm test:*)', scope: 'user' }], add: () => Promise.resolve(), update: () => Promise.resolve() },
    analyzer: () => Promise.resolve(analyzer),
    trusted: () => true,
  });
  const time = async (command: string): Promise<number> => {
    const start = performance.now();
    await judged(gate, command);
    return performance.now() - start;
  };
  const commands = COMMAND_ROWS.flatMap(([, , each]) => each).filter(({ length }) => length < ORDINARY);
  const ordinary: number[] = [];
  for (let round = 0; round < ROUNDS; round++) for (const command of commands) ordinary.push(await time(command));
  const large: number[] = [];
  for (let round = 0; round < ROUNDS; round++) large.push(await time(`ls ${'a '.repeat(MEGABYTE / 2)}; touch x`));
  const decided = medianFigure('decide_command_ms', ordinary.slice(commands.length), { unit: 'ms', goal: 5 });
  return [
    { ...decided, note: `${decided.note ?? ''}, ${commands.length} commands; loading the grammar took ${Math.round(loadMs)} ms` },
    medianFigure('decide_1mb_command_ms', large, { unit: 'ms', goal: 1_000 }),
  ];
}

function judged(gate: ReturnType<typeof createGate>, command: string): Promise<Judgment> {
  const preview = { kind: 'command' as const, command, cwd: process.cwd(), timeoutMs: 1_000 };
  const plan = { tool: 'bash', subject: '', args: { command }, accesses: [{ kind: 'execute' as const, target: command }], preview, changes: [] };
  return gate.judge({ sessionId: 's', callId: 'c', mode: 'default', plan }, new AbortController().signal);
}
