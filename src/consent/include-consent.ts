import * as z from 'zod/mini';
import type { ApprovalKind, ApprovalStore } from '../domain/host/approvals.js';
import { listIn } from '../domain/host/memory.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { IncludeConsent } from '../node/instructions/reading.js';
import type { Dialogs } from '../domain/host/dialogs.js';

/** Files that a window asks about on its own; the context of the chat lists all others, with a way to allow them. */
const MOST_ASKED = 5;

/** The user's decision about a file, by absolute path. */
const decision = z.object({ path: z.string(), allowed: z.boolean() });
type Decision = z.infer<typeof decision>;

/** Decisions on files that the instructions of a workspace include. */
export const INCLUDE_DECISIONS: ApprovalKind<Decision> = {
  name: 'include',
  most: 500,
  perWorkspace: true,
  read: (value) => decision.safeParse(value).data,
  subjectOf: ({ path }) => path,
  earlier: (memory) =>
    listIn(memory, 'gnomon.instructions.includes')
      .toReversed()
      .flatMap((each: unknown) => (Array.isArray(each) ? [{ path: each[0] as unknown, allowed: each[1] as unknown }] : [])),
};

/**
 * Asks whether instructions may include a file from outside the workspace: a repository could name any file, and its text is
 * sent to the model. A file is asked about once in each workspace.
 */
export class WindowIncludeConsent implements IncludeConsent {
  /** Files that this window has asked about, so that no answer is valid until it is closed. */
  private readonly asked = new Set<string>();

  constructor(
    private readonly dialogs: Dialogs,
    private readonly store: ApprovalStore<Decision>,
    private readonly log: Log,
  ) {}

  allows(target: string): boolean | undefined {
    return this.store.list().find(({ path }) => path === target)?.allowed;
  }

  ask(by: string, target: string): void {
    if (this.asked.has(target) || this.asked.size >= MOST_ASKED) return;
    this.asked.add(target);
    this.decide(by, target).catch((error: unknown) => this.log.error('The answer about a file to include was not stored', error));
  }

  /** Asks, whatever was answered before. Resolves when it is answered. */
  async decide(by: string, target: string): Promise<void> {
    const allow = t('Allow');
    const question = t('{0} wants to include {1}, a file outside the workspace. Its text would be sent to the model.', shown(by), shown(target));
    const answer = await this.dialogs.notify('info', question, allow, t('Don’t Allow'));
    if (answer === undefined) return;
    await this.store.change((all) => [{ path: target, allowed: answer === allow }, ...all]);
  }
}

/** Notifications render links: a name cannot become one. */
function shown(path: string): string {
  return escapeHidden(path).replaceAll('](', '] (');
}
