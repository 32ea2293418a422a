import * as z from 'zod/mini';
import { Signal } from '../concurrency/signal.js';
import type { ApprovalKind, Approvals, ApprovalStore } from '../domain/host/approvals.js';
import { type ModelUse, ruleOfUse } from '../domain/tool/model-use.js';
import type { PermissionRule } from '../domain/tool/permission.js';
import type { ModelUses } from '../permission/judge.js';

const use = z.object({ agent: z.string(), content: z.string(), model: z.string(), label: z.string() });

/** Models that agents may use without a question, each in the project in which the user said so. */
export const MODEL_USES: ApprovalKind<ModelUse> = {
  name: 'agentModel',
  most: 500,
  perWorkspace: true,
  read: (value) => use.safeParse(value).data,
  subjectOf: ({ agent, model }) => JSON.stringify([agent, model]),
  earlier: () => [],
};

/**
 * Approvals of models for agents. Each is for one agent with one content, one model, and one project: anything else asks again. They are out of reach of
 * every workspace.
 */
export class ApprovedModels implements ModelUses {
  private readonly store: ApprovalStore<ModelUse>;
  private readonly changed = new Signal();
  /** Fires when one was given or taken back. */
  readonly onDidChange = this.changed.subscribe;

  constructor(approvals: Pick<Approvals, 'of' | 'onDidChange'>) {
    this.store = approvals.of(MODEL_USES);
    approvals.onDidChange(() => this.changed.emit());
  }

  /** Those that are valid, the newest first. */
  get all(): readonly ModelUse[] {
    return this.store.list();
  }

  rules(): readonly PermissionRule[] {
    return this.all.map((uses) => ({ effect: 'allow', text: ruleOfUse(uses), scope: 'local', uses }));
  }

  async approve(uses: ModelUse): Promise<void> {
    await this.store.change((all) => [uses, ...all.filter((each) => !isSame(each, uses))]);
    this.changed.emit();
  }

  /** Takes one back: the next start asks again. @throws Error with a sentence for the user where that cannot be stored */
  async revoke(uses: ModelUse): Promise<void> {
    await this.store.change((all) => all.filter((each) => !isSame(each, uses)));
    this.changed.emit();
  }
}

function isSame(one: ModelUse, other: ModelUse): boolean {
  return MODEL_USES.subjectOf(one) === MODEL_USES.subjectOf(other);
}
