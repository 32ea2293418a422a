import type { HookDefinition } from '../hook/definition.js';
import type { ThinkingEffort } from '../model/effort.js';
import type { ConfigOrigin } from './origin.js';
import type { FieldReport } from './problem.js';

/** A skill by the standard of agentskills.io: a folder with a `SKILL.md`. Its text is read only when it is activated. */
export interface Skill {
  /** 1 to 64 characters of `a-z0-9-`. */
  readonly name: string;
  readonly description: string;
  /** The `SKILL.md`. */
  readonly origin: ConfigOrigin;
  /** Absolute path of its folder. */
  readonly folder: string;
  /** The mode of Roo Code that it is for; absent for one that is for all work. */
  readonly mode?: string;
  /** Rules that allow calls in turns in which it is activated, once the user has approved them: rules in the syntax of docs/permissions.md. */
  readonly allowedTools: readonly string[];
  /** The model of the turn in which the user activates it, as it is written; absent: that of the chat. */
  readonly model?: string;
  /** Name of the agent that this turn runs with; absent: that of the chat. */
  readonly agent?: string;
  readonly effort?: ThinkingEffort;
  /** Whether models learn of it; a user can activate it in any case. */
  readonly modelInvocable: boolean;
  /** Whether it is in the `/` menu. */
  readonly userInvocable: boolean;
  readonly argumentHint?: string;
  /** Names of its arguments, for `$name`. */
  readonly argumentNames: readonly string[];
  /** Hooks that run from its use on until the chat ends. */
  readonly hooks: readonly HookDefinition[];
  readonly fields: readonly FieldReport[];
}

/** A slash command of a file: a prompt with places for arguments. */
export interface CommandFile {
  /** Without the slash; `folder:name` where it is in a folder. Lower case for the search, as written for display. */
  readonly name: string;
  readonly description: string;
  readonly origin: ConfigOrigin;
  readonly argumentHint?: string;
  readonly argumentNames: readonly string[];
  /** As {@link Skill.allowedTools}. */
  readonly allowedTools: readonly string[];
  /** The model of its turn, as it is written; absent: that of the chat. */
  readonly model?: string;
  /** Name of the agent that its turn runs with; absent: that of the chat. */
  readonly agent?: string;
  readonly effort?: ThinkingEffort;
  /** As {@link Skill.hooks}. */
  readonly hooks: readonly HookDefinition[];
  /** The index of the first argument: 0 in files that use `$0`, otherwise 1, as Claude Code has counted both ways. */
  readonly firstArgument: 0 | 1;
  /** The text behind the front matter. */
  readonly body: string;
  /** The syntax of places for arguments; `plain`: there are none, and no command lines. */
  readonly dialect: 'claude' | 'vscode' | 'plain';
  readonly fields: readonly FieldReport[];
}

/** A text that changes how answers are written. */
export interface OutputStyle {
  readonly name: string;
  readonly description: string;
  readonly origin: ConfigOrigin;
  readonly body: string;
  /** Whether the usual advice on coding stays. */
  readonly keepsCodingInstructions: boolean;
  readonly fields: readonly FieldReport[];
}
