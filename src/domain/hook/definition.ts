import type { ConfigOrigin } from '../config/origin.js';
import type { HookEventName } from './event.js';

/** Command or endpoint that a hook runs. */
export type HookHandler =
  | {
      readonly type: 'command';
      /** Without {@link args} a command line for the shell, as its author wrote it; with them a program. */
      readonly command: string;
      /** Present for a program that is started without a shell. */
      readonly args?: readonly string[];
      readonly shell?: 'bash' | 'powershell';
      /** Relative to the workspace folder; absent: that folder. */
      readonly cwd?: string;
      /** Variables beside those that every hook gets. */
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly allowedEnvVars: readonly string[] }
  /** A function of the program that started Gnomon, by its id there. No file can have one. */
  | { readonly type: 'callback'; readonly id: string };

/** Owner of hooks, such as an agent or a skill: its hooks run only in chats in which it is used. */
export interface HookOwner {
  readonly kind: 'agent' | 'skill' | 'command';
  /** The name in its file, of a command without a slash. */
  readonly name: string;
}

/** A hook as a file configures it. */
export interface HookDefinition {
  readonly event: HookEventName;
  /** As written; absent: it is for all. docs/hooks.md has the rule. */
  readonly matcher?: string;
  readonly handler: HookHandler;
  /** A permission rule, such as `Bash(git push:*)`, that a call has to match as well. */
  readonly condition?: string;
  readonly timeoutMs: number;
  /** Shown while it runs; absent: a general text. */
  readonly statusMessage?: string;
  /** Whether it runs only once in a session. */
  readonly once?: true;
  /** What happens when the hook fails or times out. Default: blocks before tools and commands of skills run and at prompts; else continues. */
  readonly onFailure?: 'block' | 'continue';
  /** Program whose tool names the file uses; decides names and fields of the input. */
  readonly dialect: HookDialect;
  /** Event name in the file, where it decides the format of input and output, such as Cursor's `beforeShellExecution`. */
  readonly foreignEvent?: string;
  /** Why it can never run, as a sentence for users. It counts as one that could not be started, so that a guard with a mistake does not let calls through. */
  readonly broken?: string;
  readonly origin: ConfigOrigin;
  /** Absent: it runs in all chats. */
  readonly owner?: HookOwner;
}

/** The program that a hook was written for. `copilot` with {@link HookDefinition.foreignEvent} is Copilot CLI, and without it VS Code. */
export type HookDialect = 'claude' | 'cursor' | 'copilot';

/**
 * Whether a hook that fails or times out blocks: a guard that crashes must not let calls through. Claude Code ignores `onFailure` where a block
 * continues the turn.
 */
export function failsClosed({ event, onFailure }: Pick<HookDefinition, 'event' | 'onFailure'>): boolean {
  if (event === 'PreToolUse' || event === 'PreSkillShellCommand' || event === 'UserPromptSubmit') return onFailure !== 'continue';
  return event === 'PreCompact' && onFailure === 'block';
}

/** Display name of a hook, also used in reasons. */
export function hookName({ event, origin }: HookDefinition): string {
  return `${event} (${origin.line === undefined ? origin.display : `${origin.display}:${origin.line}`})`;
}

/** What runs, in one line: a command line, a program with its arguments, an address, or an id. */
export function handlerLine(handler: HookHandler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'callback':
      return handler.id;
  }
}
