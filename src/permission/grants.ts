import type { GateRequest } from '../domain/permission.js';
import type { Access, Plan } from '../domain/tool.js';

/** What "Always allow" would remember: a key that equal calls share, and words for the person. */
export interface Grant {
  readonly key: string;
  readonly words: string;
}

/**
 * What can be granted for a plan: exactly one command in its folder, or one tool on one file. `undefined` for all else.
 * @param caseInsensitive whether file names that differ only in case are the same file.
 */
export function grantFor(plan: Plan, caseInsensitive: boolean): Grant | undefined {
  const acts = plan.accesses.filter((access) => access.kind !== 'read');
  const [act] = acts;
  if (act === undefined || acts.length > 1) return undefined;
  if (act.kind === 'execute') return commandGrant(plan, act);
  if (act.kind !== 'write') return undefined;
  const file = caseInsensitive ? act.target.toLowerCase() : act.target;
  return { key: JSON.stringify(['write', plan.tool, file]), words: `${plan.tool} on ${plan.subject}, for the rest of this session` };
}

function commandGrant(plan: Plan, act: Access): Grant | undefined {
  if (plan.preview.kind !== 'command') return undefined;
  const { cwd } = plan.preview;
  return {
    key: JSON.stringify(['execute', plan.tool, act.target, cwd]),
    words: `exactly this command in ${cwd}, for the rest of this session`,
  };
}

/** What was granted, by session. Kept in memory only. */
export class Grants {
  private readonly bySession = new Map<string, Set<string>>();

  /** Whether a grant of the request's session covers it. */
  covers(request: GateRequest, grant: Grant): boolean {
    return this.bySession.get(request.sessionId)?.has(grant.key) ?? false;
  }

  /** Remembers a grant for the request's session. */
  add(request: GateRequest, grant: Grant): void {
    const keys = this.bySession.get(request.sessionId) ?? new Set();
    this.bySession.set(request.sessionId, keys.add(grant.key));
  }
}
