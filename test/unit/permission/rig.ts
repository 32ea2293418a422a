import type { CommandAnalyzer } from '../../../src/domain/tool/command-analysis.js';
import type { RuleScope } from '../../../src/domain/tool/denial.js';
import type { Gate, Judgment, PermissionMode, PermissionRule, RuleBook, RuleEffect } from '../../../src/domain/tool/permission.js';
import { denialForModel } from '../../../src/domain/tool/denial.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { type BoundPlaces, NOTHING_BOUND } from '../../../src/domain/workspace/binding.js';
import type { SandboxPort } from '../../../src/domain/workspace/sandbox.js';
import type { Access, Plan, Preview } from '../../../src/domain/tool/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import { type MemoryWorkspaceOptions, createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { stubAnalyzer } from './stub-analyzer.js';
import { HELD } from '../../support/sandboxes.js';

/** A plan by hand. */
export function planOf(tool: string, accesses: readonly Access[], preview: Preview = { kind: 'none' }): Plan {
  return { tool, subject: accesses[0]?.target ?? '', args: {}, accesses, preview, changes: [] };
}

/** A plan of the tool read. */
export function reads(...paths: readonly string[]): Plan {
  return planOf(
    'read',
    paths.map((target) => ({ kind: 'read', target })),
  );
}

/** A plan of the tool edit. */
export function edits(...paths: readonly string[]): Plan {
  return planOf(
    'edit',
    paths.map((target) => ({ kind: 'write', target })),
  );
}

/** A plan of the tool bash. */
export function runs(command: string, cwd = '/ws'): Plan {
  const preview: Preview = { kind: 'command', command, cwd, timeoutMs: 1_000 };
  return planOf('bash', [{ kind: 'execute', target: command }, ...(cwd === '/ws' ? [] : [{ kind: 'read' as const, target: cwd }])], preview);
}

/** What {@link gateOn} makes a gate of; rules of the person are texts such as `deny Bash(curl:*)`. */
export interface GateRigOptions extends MemoryWorkspaceOptions {
  readonly caseInsensitive?: boolean;
  readonly outputFolder?: string;
  readonly rules?: readonly string[];
  readonly analyzer?: CommandAnalyzer;
  /** One that holds, unless given. */
  readonly sandbox?: SandboxPort;
  readonly trusted?: boolean;
  /** Whether permissions can be bypassed; they can, unless given. */
  readonly bypassDisabled?: () => boolean;
  /** Real paths of files with instructions. */
  readonly instructions?: readonly string[];
  /** What hooks and approved servers run. */
  readonly bound?: BoundPlaces;
  /** Whether what skills and commands name is approved; nothing is, unless given. */
  readonly approved?: (grant: TurnGrant) => boolean;
  /** What `RuleBook.add` does. */
  readonly add?: RuleBook['add'];
}

/** A gate on a workspace `/ws` in memory. */
export function gateOn(options: GateRigOptions = {}): Gate {
  const { workspace, documents } = createMemoryWorkspace(options);
  const { caseInsensitive = false, home = '/home/user', outputFolder, analyzer = stubAnalyzer, trusted = true } = options;
  return createGate({
    sandbox: options.sandbox ?? HELD,
    workspace,
    documents,
    caseInsensitive,
    home,
    ...(outputFolder === undefined ? {} : { outputFolder }),
    instructionFiles: () => new Set(options.instructions),
    ...(options.bound === undefined ? {} : { boundPlaces: () => Promise.resolve(options.bound ?? NOTHING_BOUND.places) }),
    rules: ruleBook(options.rules ?? [], options.add),
    analyzer: () => Promise.resolve(analyzer),
    trusted: () => trusted,
    ...(options.bypassDisabled === undefined ? {} : { bypassDisabled: options.bypassDisabled }),
    approved: (grant) => Promise.resolve(options.approved?.(grant) === true),
  });
}

/** A rule of the person's settings, from `deny Bash(curl:*)`; `workspace deny …` is one of the workspace's. */
export function ruleOf(text: string): PermissionRule {
  const [, scope, effect, rule, file] = /^(?:(workspace|session) )?(\w+) (.*?)(?: @(\S+))?$/s.exec(text) ?? [];
  return { effect: effect as RuleEffect, text: rule ?? '', scope: (scope ?? 'user') as RuleScope, ...(file === undefined ? {} : { file }) };
}

/** A rule book with fixed rules. */
export function ruleBook(texts: readonly string[], add: RuleBook['add'] = () => Promise.reject(new Error('nothing can be added'))): RuleBook {
  return { rules: () => texts.map(ruleOf), add, update: () => Promise.reject(new Error('nothing can be changed')) };
}

/** What a gate says to a plan. */
export function judge(gate: Gate, mode: PermissionMode, plan: Plan, sessionId = 'session'): Promise<Judgment> {
  return gate.judge({ sessionId, callId: 'call', mode, plan }, new AbortController().signal);
}

/** A judgment in short: `allow`, `deny`, `ask`, or `ask+` when "Always allow" is offered. */
export function short(judgment: Judgment): string {
  return judgment.type === 'ask' && judgment.proposal !== undefined ? 'ask+' : judgment.type;
}

/** The reasons of a judgment, as one text; of a denial, what the model is told. */
export function reasonsOf(judgment: Judgment): string {
  if (judgment.type === 'ask') return judgment.reasons.join(' ');
  return judgment.type === 'deny' ? denialForModel(judgment.denial) : judgment.reason;
}
