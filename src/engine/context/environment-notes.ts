import type { TextBlock } from '../../domain/model/content.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { Environment, EnvironmentFact } from '../../domain/session/environment.js';
import { environmentBlock } from '../../domain/session/attached.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';

/** Descriptions of permission modes for the model; the user sees others. */
const MODES: Readonly<Record<PermissionMode, string>> = {
  default: 'default (the user is asked before files change and before commands run)',
  acceptEdits: 'acceptEdits (edits in the workspace run without a question, commands ask)',
  plan: 'plan (only investigate: change no file, run nothing that changes anything, and end with a numbered plan of what you would do)',
  ask: 'ask (the user is asked before every call)',
  bypassPermissions: 'bypassPermissions (most calls run without a question)',
};

/** Further facts in the note with a message, such as mode and time. */
interface Now {
  readonly mode: PermissionMode;
  /** Display name of the model. */
  readonly model: string;
  /** RFC 3339. */
  readonly time: string;
}

/**
 * Tells the model with each message where it works, as far as that has changed since the last time. The note is a part of
 * the message that it goes with, so what was sent before it stays as it was.
 */
export class EnvironmentNotes {
  /** The facts that the model got last, by label. */
  private told = new Map<string, string>();

  constructor(private readonly environment: Environment | undefined) {}

  /** The note for the next message; `undefined` when there is nothing new to say. */
  next({ mode, model, time }: Now): TextBlock | undefined {
    if (this.environment === undefined) return undefined;
    const facts = [
      { label: 'Date', value: time.slice(0, 10) },
      { label: 'Model', value: model },
      { label: 'Permission mode', value: MODES[mode] },
      ...this.environment.facts(),
    ];
    const now = new Map(facts.map((fact) => [fact.label, plain(fact)]));
    const gone = [...this.told.keys()].filter((label) => !now.has(label)).map((label) => `${label}: none`);
    const fresh = [...now].filter(([label, line]) => this.told.get(label) !== line).map(([, line]) => line);
    this.told = now;
    const lines = [...fresh, ...gone];
    return lines.length === 0 ? undefined : environmentBlock(lines.join('\n'));
  }

  /** Facts about work that is under way, in lines; `undefined` for none. */
  get underWay(): string | undefined {
    const facts = this.environment?.underWay?.() ?? [];
    return facts.length === 0 ? undefined : facts.map(plain).join('\n');
  }

  /** The model may have lost the facts, such as after a summary. */
  forget(): void {
    this.told.clear();
  }
}

/** Names of folders, files and branches can contain anything: what is not seen of them is not sent, and no label begins a line of its own. */
function plain({ label, value }: EnvironmentFact): string {
  const line = `${label.replace(/[\r\n]+/g, ' ')}:${value.includes('\n') ? '\n' : ' '}${value}`;
  return withoutUnseen(line.toWellFormed()).text;
}
