import type { Gate, Judgement, PermissionMode } from '../../../src/domain/permission.js';
import type { Access, Plan, Preview } from '../../../src/domain/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import type { MemoryWorkspaceOptions } from '../../support/memory-workspace/index.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';

/** A plan by hand. */
export function planOf(tool: string, accesses: readonly Access[], preview: Preview = { kind: 'none' }): Plan {
  return { tool, subject: accesses[0]?.target ?? '', args: {}, accesses, preview, changes: [] };
}

/** A plan of the tool read. */
export function reads(...paths: readonly string[]): Plan {
  return planOf('read', paths.map((target) => ({ kind: 'read', target })));
}

/** A plan of the tool edit. */
export function edits(...paths: readonly string[]): Plan {
  return planOf('edit', paths.map((target) => ({ kind: 'write', target })));
}

/** A plan of the tool bash. */
export function runs(command: string, cwd = '/ws'): Plan {
  const preview: Preview = { kind: 'command', command, cwd, timeoutMs: 1_000 };
  return planOf('bash', [{ kind: 'execute', target: command }, ...(cwd === '/ws' ? [] : [{ kind: 'read' as const, target: cwd }])], preview);
}

/** A gate on a workspace `/ws` in memory. */
export function gateOn(
  options: MemoryWorkspaceOptions & { readonly caseInsensitive?: boolean; readonly outputFolder?: string } = {},
): Gate {
  const { workspace } = createMemoryWorkspace(options);
  const { caseInsensitive = false, home = '/home/user', outputFolder } = options;
  return createGate({ workspace, caseInsensitive, home, ...(outputFolder === undefined ? {} : { outputFolder }) });
}

/** What a gate says to a plan. */
export function judge(gate: Gate, mode: PermissionMode, plan: Plan, sessionId = 'session'): Promise<Judgement> {
  return gate.judge({ sessionId, callId: 'call', mode, plan }, new AbortController().signal);
}

/** A judgement in short: `allow`, `deny`, `ask`, or `ask+` when "Always allow" is offered. */
export function short(judgement: Judgement): string {
  return judgement.type === 'ask' && judgement.grant !== undefined ? 'ask+' : judgement.type;
}

/** The reasons of a judgement, as one text. */
export function reasonsOf(judgement: Judgement): string {
  return judgement.type === 'ask' ? judgement.reasons.join(' ') : judgement.reason;
}
