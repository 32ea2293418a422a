import * as z from 'zod/mini';
import { THINKING_EFFORTS, type ThinkingEffort } from '../../domain/model/effort.js';
import { MCP_STATUSES, type McpStatus } from '../../domain/mcp/server.js';
import { PERMISSION_MODES, type PermissionMode } from '../../domain/tool/permission.js';
import type { Conversation } from './conversation.js';
import { MessageParseError } from './errors.js';
import type { StartingMode } from './options.js';
import type { JsonObject } from './parse-message.js';
import { problemOf } from './problem.js';

/** What became of an MCP server. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: McpStatus;
  /** Why it is `failed` or `needs-auth`: a sentence. */
  readonly error?: string;
  /** What it offers. */
  readonly tools: readonly { readonly name: string }[];
}

/** What there is in a run, as the program says at its start. */
export interface Initialization {
  /** Events of `hooks` in which none is ever called: those that Gnomon does not have, and those in which it asks nobody. */
  readonly hooksNotApplied: readonly string[];
  /** What a prompt can begin with, without the slash. */
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly agents: readonly { readonly name: string; readonly description: string }[];
  /** `value` is what `setModel` takes. */
  readonly models: readonly { readonly value: string; readonly displayName: string }[];
}

/** How full the model’s context window is, in tokens. */
export interface ContextUsage {
  readonly totalTokens: number;
  /** What may be used before the conversation is summarized. */
  readonly maxTokens: number;
  /** The context window of the model. */
  readonly rawMaxTokens: number;
  /** Of `maxTokens`, in whole percent. */
  readonly percentage: number;
  /** What it is used for. */
  readonly categories: readonly { readonly name: string; readonly tokens: number }[];
  /** The model’s own name. */
  readonly model: string;
}

/** What became of files that were put back to before a message. */
export interface RewoundFiles {
  /** Whether any was, or, for a dry run, would be. */
  readonly canRewind: boolean;
  /** Why none: a sentence. */
  readonly error?: string;
  /** Absolute paths of those that have their earlier content, or are gone because they were made since. */
  readonly filesChanged?: readonly string[];
  /** Absolute paths of those that have later work of the user, and kept it. */
  readonly filesKept?: readonly string[];
  /** Those that were left alone for another reason. */
  readonly filesSkipped?: readonly { readonly path: string; readonly why: string }[];
}

const count = z.number().check(z.gte(0));
const mode = z.looseObject({ mode: z.enum(PERMISSION_MODES) });
const model = z.looseObject({ model: z.string() });
const servers = z.looseObject({
  mcpServers: z.array(
    z.looseObject({ name: z.string(), status: z.enum(MCP_STATUSES), error: z.exactOptional(z.string()), tools: z.array(z.looseObject({ name: z.string() })) }),
  ),
});
const usage = z.looseObject({
  totalTokens: count,
  maxTokens: count,
  rawMaxTokens: count,
  percentage: count,
  categories: z.array(z.looseObject({ name: z.string(), tokens: count })),
  model: z.string(),
});

const described = z.array(z.looseObject({ name: z.string(), description: z.string() }));
const initialization = z.looseObject({
  hooks_not_applied: z.array(z.string()),
  commands: described,
  agents: described,
  models: z.array(z.looseObject({ value: z.string(), displayName: z.string() })),
});

const paths = z.exactOptional(z.array(z.string()));
const rewound = z.looseObject({
  canRewind: z.boolean(),
  error: z.exactOptional(z.string()),
  filesChanged: paths,
  filesKept: paths,
  filesSkipped: z.exactOptional(z.array(z.looseObject({ path: z.string(), why: z.string() }))),
});
const nothing = z.looseObject({});
const effort = z.looseObject({ effort: z.enum(THINKING_EFFORTS) });

/**
 * What a run can be asked for while it goes on. All of it starts the program if nothing has yet, and is answered within 60 s.
 * @throws NotConnectedError once it has ended, ControlTimeoutError, ControlRefusedError with the program’s reason, and what it ended with
 */
export abstract class Controls {
  /** @param conversation what is controlled */
  protected constructor(protected readonly conversation: Conversation) {}

  /**
   * What there is in the run.
   * @throws MessageParseError where the program does not say it
   */
  async initialization(): Promise<Initialization> {
    const answer = await this.conversation.initialization();
    const { data, error } = z.safeParse(initialization, answer);
    if (error !== undefined) throw unreadable('initialize', answer, error.issues);
    return { hooksNotApplied: data.hooks_not_applied, commands: data.commands, agents: data.agents, models: data.models };
  }

  /** Stops what is being worked on; its result is `error_during_execution`. Messages that wait behind it are worked on then. */
  async interrupt(): Promise<void> {
    if (this.conversation.isStarted) await this.conversation.request({ subtype: 'interrupt' });
  }

  /**
   * Sets the mode from the next call on.
   * @returns the mode that is in effect, which can be a stricter one
   * @throws ControlRefusedError for a mode that is not known or not allowed
   */
  async setPermissionMode(wanted: StartingMode): Promise<PermissionMode> {
    return (await this.ask({ subtype: 'set_permission_mode', mode: wanted }, mode)).mode;
  }

  /**
   * Sets the model from the next request on.
   * @param wanted `provider/model`, or a name such as `opus`; left out: the user’s
   * @returns the model that is in effect, as `provider/model`
   */
  async setModel(wanted?: string): Promise<string> {
    return (await this.ask({ subtype: 'set_model', model: wanted }, model)).model;
  }

  /**
   * Limits how much the model thinks from the next request on.
   * @param tokens a whole number from 0, which turns thinking off; `null` for no limit
   * @returns the effort that is in effect: models take efforts, and it is the highest one within the limit
   */
  async setMaxThinkingTokens(tokens: number | null): Promise<ThinkingEffort> {
    return (await this.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens }, effort)).effort;
  }

  /**
   * Puts files back to before a message of the user, as far as what was changed since is recorded. It does not change the conversation.
   * @param message the `uuid` of a message, as it was sent, or as it is repeated with `extraArgs: {'replay-user-messages': null}`
   * @param options whether it is only told what would be done
   * @throws ControlRefusedError while the agent works, and where nothing can be put back; a dry run tells the latter with `canRewind`
   */
  rewindFiles(message: string, { dryRun = false }: { readonly dryRun?: boolean } = {}): Promise<RewoundFiles> {
    return this.ask({ subtype: 'rewind_files', user_message_id: message, dry_run: dryRun }, rewound);
  }

  /**
   * Ends a command that runs in the background. A `task_notification` tells of it, too.
   * @param task its id, such as `job-1`
   * @throws ControlRefusedError where it has ended, or there is none
   */
  async stopTask(task: string): Promise<void> {
    await this.ask({ subtype: 'stop_task', task_id: task }, nothing);
  }

  /** What became of the MCP servers. */
  async mcpStatus(): Promise<readonly McpServerStatus[]> {
    return (await this.ask({ subtype: 'mcp_status' }, servers)).mcpServers;
  }

  /** How full the context window is. */
  contextUsage(): Promise<ContextUsage> {
    return this.ask({ subtype: 'get_context_usage' }, usage);
  }

  /** Ends the program, whatever it does. Resolves when it has ended: after 12 s at the latest. Does not reject, and can be called again. */
  close(): Promise<void> {
    return this.conversation.close();
  }

  private async ask<Answer>(body: JsonObject & { readonly subtype: string }, schema: z.ZodMiniType<Answer>): Promise<Answer> {
    const answer = await this.conversation.request(body);
    const { data, error } = z.safeParse(schema, answer);
    if (error !== undefined) throw unreadable(body.subtype, answer, error.issues);
    return data;
  }
}

function unreadable(subtype: string, answer: JsonObject, issues: Parameters<typeof problemOf>[0]): MessageParseError {
  return new MessageParseError(`Gnomon’s program gave an answer to “${subtype}” that cannot be read.`, answer, problemOf(issues).path);
}
