import type { Memory } from '../domain/host/memory.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { IncludeConsent } from '../node/instructions/reading.js';
import type { Dialogs } from '../domain/host/dialogs.js';

/** Where it is kept, for each workspace, which files may be included and which not. */
const KEY = 'gnomon.instructions.includes';
/** Decisions that are remembered; of more, the latest. */
const MOST = 200;

/** Files that a window asks about on its own; the context of the chat lists all others, with a way to allow them. */
const MOST_ASKED = 5;

/** What the user decided about a file. */
type Decided = readonly [path: string, allowed: boolean];

/**
 * Asks whether instructions may include a file from outside the workspace: a repository could name any file, and its text is
 * sent to the model. A file is asked about once; VS Code stores the answer with the workspace.
 */
export class WindowIncludeConsent implements IncludeConsent {
  private readonly dialogs: Dialogs;
  private readonly memory: Memory;
  private readonly log: Log;
  /** Files that this window has asked about, so that no answer is valid until it is closed. */
  private readonly asked = new Set<string>();

  constructor(dialogs: Dialogs, memory: Memory, log: Log) {
    this.dialogs = dialogs;
    this.memory = memory;
    this.log = log;
  }

  allows(target: string): boolean | undefined {
    return this.decided().find(([path]) => path === target)?.[1];
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
    const others = this.decided().filter(([path]) => path !== target);
    await this.memory.update(KEY, [...others, [target, answer === allow]].slice(-MOST));
  }

  private decided(): readonly Decided[] {
    const stored = this.memory.get(KEY);
    return Array.isArray(stored)
      ? stored.filter((each): each is Decided => Array.isArray(each) && typeof each[0] === 'string' && typeof each[1] === 'boolean')
      : [];
  }
}

/** Notifications render links: a name cannot become one. */
function shown(path: string): string {
  return escapeHidden(path).replaceAll('](', '] (');
}
