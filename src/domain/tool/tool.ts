import type { ModelUse } from './model-use.js';
import type { ChangeAuthor } from '../workspace/change-author.js';
import type { ToolResultContent } from '../model/content.js';
import type { Amount } from '../model/purse.js';
import type { Spent } from '../model/usage.js';
import type { FileChange } from '../workspace/documents.js';
import type { Question, TodoItem } from './interaction.js';
import type { CallOutcome } from './outcome.js';
import type { TurnGrant } from './turn-grant.js';
import type { Confinement } from '../workspace/sandbox.js';

/** A JSON Schema object, as sent to the model. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Characters of a tool's name that every provider takes. */
export const MAX_TOOL_NAME = 64;

/** Definition of a tool for the model. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whether the arguments are wanted while they are being written, before the whole of them is known to be right. */
  readonly streamed?: true;
  /** Its part in {@link Deferral}. Default: an ordinary tool, which every request lists. */
  readonly deferral?: Deferral;
}

/**
 * Deferred loading: how models find tools that requests do not list, because there are too many. Which of them a model is
 * offered, `offeredTo` of the engine says; all can be called.
 */
export type Deferral =
  /** Sent only after a search has found it. */
  | 'deferred'
  /** Searches for deferred tools. Its outcome has the names of what it found, and the first line of its result is that of {@link foundLine}. */
  | 'finder'
  /** Calls a deferred tool, for models that can only call tools listed in their request. */
  | 'caller';

/** The first line of a search's result: the names of what it found. A provider that can load definitions takes them from its outcome. */
export function foundLine(names: readonly string[]): string {
  return `Found: ${names.join(', ')}`;
}

/**
 * One thing that a call will touch. For files `target` is an absolute path, for `execute` the whole command, for
 * `network` the address. `interact` stays within Gnomon: asking the user, showing a plan, ending a command it started. `spawn` has an
 * agent work, by its name: what that does is judged call by call.
 */
export interface Access {
  readonly kind: 'read' | 'write' | 'execute' | 'network' | 'interact' | 'spawn';
  readonly target: string;
  /** Of a read that only reveals whether something exists: a rule that lets the file be written allows it, too. */
  readonly only?: 'presence';
  /** Of a write after which no file is at the path: it is deleted, or moved to the target of another write of the same call. */
  readonly removal?: 'deleted' | 'moved';
  /** Of a spawn with another model than that of who starts it: the model, as users know it. */
  readonly model?: string;
  /** Of the same: the agent and the model, as an approval of both binds to them. */
  readonly uses?: ModelUse;
  /** Of a spawn in a worktree that takes much room: how much, as users read it. */
  readonly room?: string;
}

/**
 * Open parts of a plan, because no file was opened for it yet: what the call does, or whether it can work, depends on what is
 * in files that permission has to be had for.
 */
export interface Unopened {
  /** The reading, among the accesses of the plan, that has to be permitted first. Empty for files that the session has read. */
  readonly reads: readonly Access[];
  /** Whether the plan can also run as it is; it is shown so to a user who is asked. */
  readonly runsBlind: boolean;
}

/** Preview for the user's decision: always everything that will run or change. */
export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string; readonly timeoutMs: number }
  | DiffPreview
  | DiffsPreview
  | { readonly kind: 'url'; readonly url: string }
  /** A search of the web, and who gets the query. */
  | { readonly kind: 'search'; readonly query: string; readonly service: string }
  /**
   * The arguments of a tool that another extension or a server offers. `title` is what it calls itself; `changed` a unified diff of how it
   * describes itself now and did when the user accepted it, with nothing hidden in it.
   */
  | { readonly kind: 'input'; readonly input: string; readonly title?: string; readonly changed?: string }
  | { readonly kind: 'todos'; readonly items: readonly TodoItem[] }
  | { readonly kind: 'question'; readonly question: Question };

/** Change of one file. */
export interface DiffPreview {
  readonly kind: 'diff';
  /** Absolute; where the file is afterwards, unless it is deleted. */
  readonly path: string;
  /** The whole difference of its text as a unified diff; empty for a file that is moved as it is, and for an empty one that is deleted. */
  readonly diff: string;
  readonly created: boolean;
  /** Present for a file that is deleted: the difference is all of its text. */
  readonly deleted?: true;
  /** For a file that is moved, the absolute path where it was. */
  readonly from?: string;
}

/** Changes of several files by one call. */
export interface DiffsPreview {
  readonly kind: 'diffs';
  /** `name` is the path as it is seen from the workspace. */
  readonly files: readonly (DiffPreview & { readonly name: string })[];
}

/**
 * Plan of a call, complete before anything is done: permission judges it, the prompt shows it, and it is what runs.
 * Deeply frozen, so nothing can change between approval and execution.
 */
export interface Plan {
  /** Name of the tool that made the plan. */
  readonly tool: string;
  /** Short text for the title of the call, such as a path or a command. */
  readonly subject: string;
  /** The validated arguments. */
  readonly args: unknown;
  readonly accesses: readonly Access[];
  readonly preview: Preview;
  /** The files that will be written, whole, moved, or deleted. Empty for calls that change none themselves. */
  readonly changes: readonly FileChange[];
  /** Who made what is written, where that is not who makes the call: it takes over the work of an agent. */
  readonly madeBy?: ChangeAuthor;
  /** Estimated maximum cost of the call; absent for free calls. */
  readonly spends?: Amount;
  /** Present when third-party code runs: what it touches is not known, so it has no accesses. */
  readonly foreign?: ForeignCode;
  /** Present when the command is to run without the sandbox, as it did not work in it. */
  readonly unconfined?: true;
  /** Present as long as {@link Tool.open} has not settled the plan. */
  readonly unopened?: Unopened;
}

/** A tool of a server, both as they are: the server as its file names it, and the tool as the server does. */
export interface ServersTool {
  readonly server: string;
  readonly tool: string;
}

/** Code that is not Gnomon's. */
export interface ForeignCode {
  /** `editor`: of VS Code or any extension; VS Code does not say of which. */
  readonly kind: 'extension' | 'server' | 'editor';
  /** Id of the extension that it says it is of, or of the MCP server; the name under which VS Code lists it. */
  readonly by: string;
  /** Server and tool by their full names: hooks and their scripts are written for these. Present for `server`. */
  readonly named?: ServersTool;
  /** Whether it says that it only reads. Nothing runs without asking because of that. */
  readonly saysItReads: boolean;
  /** Whether it describes itself otherwise than when the user accepted it: what they allowed was another tool. */
  readonly changed?: true;
}

/** A text of a call that the user wrote anew before they allowed it. */
export type TextAmendment =
  /** The command line to run in place of the one that was planned. */
  | { readonly type: 'command'; readonly command: string }
  /** The whole text to write to a file in place of the one that was planned. */
  | { readonly type: 'content'; readonly path: string; readonly text: string };

/** All arguments of a call in place of those that the model gave, for the same tool; `input` is checked as those of a model are. */
export interface InputAmendment {
  readonly type: 'input';
  readonly input: unknown;
}

/** Change that the user made to a call before they allowed it. */
export type Amendment = TextAmendment | InputAmendment;

/** Context of a running tool, beside its plan. */
export interface ToolContext {
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly callId: string;
  /** Present when what the call runs may run only in the sandbox. */
  readonly confined?: Confinement;
  /** Live output for the user; what the model gets is the result. */
  output(chunk: string): void;
}

/** Result of a tool. With `isError` the tool ran and failed: the model should see it and react. */
export interface ToolResult {
  readonly content: readonly ToolResultContent[];
  readonly isError: boolean;
  /** Outcome of the call, for the user and for storage. Absent: only success or failure is known. */
  readonly outcome?: CallOutcome;
  /**
   * Output and exit code of a command, without the text for the model around it. `exitCode` is absent for one that was killed. Absent for other calls.
   */
  readonly printed?: { readonly text: string; readonly exitCode?: number };
  /** Cost of the call; absent for free calls. */
  readonly spent?: Spent;
  /** Rules that a loaded skill requests until the end of the turn. */
  readonly grant?: TurnGrant;
}

/** The forms in which models write changes of a part of a file: texts to be replaced, or patches. */
type EditForm = 'replacements' | 'patches';

/** A tool of the agent. */
export interface Tool {
  readonly spec: ToolSpec;
  /** The form in which it takes changes of files; a model is offered the one that it has learned. Left out: it is offered to all. */
  readonly editing?: EditForm;
  /** Other names under which models know exactly this tool, in lower case and without punctuation. Left out: none. */
  readonly otherNames?: readonly string[];
  /**
   * Validates the arguments and says what the call will touch, without touching it. No file is opened, listed, or looked for:
   * the model gets no answer that depends on one before permission is had. Where that is needed, the plan is {@link Plan.unopened}.
   * @throws ToolInputError when the call cannot work; its text is for the model.
   */
  plan(args: unknown, context: ToolContext): Promise<Plan>;
  /**
   * Settles a plan that is unopened. Only called when its reading is permitted. Absent for tools whose plans never are.
   * @throws ToolInputError when the call cannot work on what is in the files.
   */
  open?(plan: Plan, context: ToolContext): Promise<Plan>;
  /**
   * Plans the call anew with a text as the user changed it; absent for tools whose calls have no such text. Other arguments are planned
   * by {@link plan}, for every tool.
   * @throws ToolInputError when the changed call cannot work, or the amendment is not one for this call.
   */
  amend?(plan: Plan, amendment: TextAmendment, context: ToolContext): Promise<Plan>;
  /**
   * Runs exactly the plan that was shown and allowed.
   * @throws on infrastructure failure only; what the model should react to is a result with `isError`.
   */
  execute(plan: Plan, context: ToolContext): Promise<ToolResult>;
}

/** Whether a plan only reads; such calls of one round may run side by side. */
export function isReadOnly(plan: Plan): boolean {
  return plan.foreign === undefined && plan.accesses.every((access) => access.kind === 'read');
}
