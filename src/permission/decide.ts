import { assertNever } from '../domain/assert-never.js';
import type { Judgement } from '../domain/permission.js';
import type { Access, Plan } from '../domain/tool.js';
import type { Grant } from './grants.js';
import { parsePermissionMode } from './modes.js';

/** Everything that a decision depends on. */
export interface Facts {
  readonly mode: string;
  readonly plan: Plan;
  /** Sentences about what must be asked in every mode. */
  readonly cautions: readonly string[];
  /** What "Always allow" would remember, when that is possible. */
  readonly grant: Grant | undefined;
  /** Whether that was granted already. */
  readonly granted: boolean;
}

/** Tools that only read or talk with the person, by name: what may run in plan mode. */
const READING_TOOLS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'diagnostics', 'symbols', 'todo', 'ask', 'jobs']);

/** One row of the order of evaluation: says nothing when it does not apply. */
type Rule = (facts: Facts) => Judgement | undefined;

/** The order of evaluation. The first rule that says something decides. docs and tests mirror these lines. */
const RULES: readonly Rule[] = [
  // 1. A mode that is not offered allows nothing.
  ({ mode }) => (parsePermissionMode(mode) === undefined ? deny(`The permission mode “${mode}” is not known.`) : undefined),
  // 2. Plan mode knows reading only; no grant changes that.
  ({ mode, plan }) => (mode === 'plan' && !isKnownToRead(plan) ? deny('Plan mode only reads; nothing may be changed or run.') : undefined),
  // 3. What stays within Gnomon: asking the person, showing a plan, looking after a command it started.
  ({ plan }) => (touchesOnly(plan, ['interact']) ? allow('It only talks with you.') : undefined),
  // 4. Outside the workspace, links, protected files, hidden characters, facts unknown: asked in every mode, never granted.
  ({ cautions }) => (cautions.length > 0 ? { type: 'ask', reasons: cautions } : undefined),
  // 5. The mode that asks for everything.
  ({ mode, plan }) => (mode === 'ask' ? { type: 'ask', reasons: ['This mode asks for everything.', ...reasonsFor(plan)] } : undefined),
  // 6. What the person has granted in this session.
  ({ granted }) => (granted ? allow('You allowed it for this session.') : undefined),
  // 7. Reading in the workspace.
  ({ plan }) => (touchesOnly(plan, ['read']) ? allow('It only reads in the workspace.') : undefined),
  // 8. Ordinary files of the workspace, where edits are accepted.
  ({ mode, plan }) => (mode === 'acceptEdits' && touchesOnly(plan, ['read', 'write']) ? allow('Edits are accepted in this mode.') : undefined),
];

/** Decides what becomes of a plan: the first of {@link RULES} that applies, else the person is asked. */
export function decide(facts: Facts): Judgement {
  for (const rule of RULES) {
    const judgement = rule(facts);
    if (judgement !== undefined) return judgement;
  }
  const { plan, grant } = facts;
  return { type: 'ask', reasons: reasonsFor(plan), ...(grant === undefined ? {} : { grant: grant.words }) };
}

function allow(reason: string): Judgement {
  return { type: 'allow', reason };
}

function deny(reason: string): Judgement {
  return { type: 'deny', reason };
}

/** A plan that names nothing it touches is not known to be harmless. */
function touchesOnly(plan: Plan, kinds: readonly Access['kind'][]): boolean {
  return plan.accesses.length > 0 && plan.accesses.every((access) => kinds.includes(access.kind));
}

function isKnownToRead(plan: Plan): boolean {
  return READING_TOOLS.has(plan.tool) && touchesOnly(plan, ['read', 'interact']);
}

function reasonsFor(plan: Plan): readonly string[] {
  if (plan.accesses.length === 0) return ['What it does is not known.'];
  return [...new Set(plan.accesses.map(sentenceFor))];
}

function sentenceFor({ kind }: Access): string {
  switch (kind) {
    case 'read':
      return 'It reads files.';
    case 'write':
      return 'It changes a file.';
    case 'execute':
      return 'It runs a command.';
    case 'network':
      return 'It connects to the network.';
    case 'interact':
      return 'It talks with you in the chat.';
    default:
      return assertNever(kind);
  }
}
