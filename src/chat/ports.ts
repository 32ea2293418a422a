import type { AgentHost } from '../agent-host/agent-host.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import type { FoundInstructions } from '../domain/session/context.js';
import type { ImageScaler } from '../domain/workspace/image.js';
import type { CodeColors } from '../protocol/code-kinds.js';
import type { Attachments } from './composer/attachments.js';

/** Keeps, undoes and shows changes. */
export interface ReviewActions {
  /** @param author whose changes are kept; absent: all are */
  keep(paths: readonly string[], author?: string): Promise<void>;
  /** Takes changes back; asks first when there are several files. @param author whose changes; absent: all */
  undo(paths: readonly string[], author?: string): Promise<void>;
  /** Opens a file at its first change, where each can be kept and undone; one that is gone beside what it was. */
  show(path: string): Promise<void>;
  /** Opens files beside what they were. @param author in whose changes the user is interested */
  compare(paths: readonly string[], author?: string): Promise<void>;
  /** Brings the files of a session back to before a message. Resolves to whether that was done, or canceled. */
  restore(sessionId: string, messageIndex: number): Promise<boolean>;
}

/** Code of an answer that is to go into a file. */
export interface CodeToApply {
  readonly text: string;
  /** The file that the code names; the user is asked without one. */
  readonly path?: string;
  /** The turn that the change counts to. */
  readonly sessionId: string;
  readonly messageIndex: number;
}

/** Proposed files in editors, as the prompts of conversations use them. */
export interface ProposalDesk {
  /** Why a call cannot be allowed now; `undefined` when nothing is in the way. */
  obstacle(callId: string): string | undefined;
  /** Shows what a call proposes in an editor. Returns whether it is shown: a call that does not wait has nothing to show. */
  show(callId: string): Promise<boolean>;
}

/** The colors that the user's theme gives to code. */
export interface ThemeColors {
  /** None where they cannot be determined. Does not reject. */
  current(): Promise<CodeColors>;
  /** Calls back when another theme is shown. Returns how to stop that. */
  onDidChange(listener: () => void): () => void;
}

/** Where files are attached, and what makes images smaller for it. */
export interface Attaching {
  readonly attachments: Attachments;
  readonly imageScaler: ImageScaler;
}

/** Services of the window for pages, beside the conversation. Errors reject with a message for the user. */
export interface PageWindow {
  /** Lets the user choose files to attach. @returns what went wrong */
  pickFiles(to: Attaching): Promise<readonly string[]>;
  /** Attaches files that a page names. @param isInside whether a path is in the workspace, whose images are read unasked @returns what went wrong */
  attachDropped(uris: readonly string[], to: Attaching, isInside: (path: string) => Promise<boolean>): Promise<readonly string[]>;
  /** Opens a link of an answer, after a question where it leads to a page of others. */
  openLink(url: string): Promise<void>;
  /** Shows an instruction file of a session, also one that was left out. @param display its short name; another is refused */
  openInstruction(instructions: FoundInstructions, display: string): Promise<void>;
  /** Filters paths that answers mention: keeps those that are files of the workspace. */
  filesAmong(paths: readonly string[]): Promise<readonly string[]>;
  /** Shows a file of the workspace, at the line that the path ends with. */
  openFile(path: string): Promise<void>;
  /** Puts a text where the cursor is. */
  insertCode(text: string): Promise<void>;
  readonly copy: (text: string) => PromiseLike<void>;
  /** Puts code of an answer into a file after the user saw the change. It can be kept or undone like any other. */
  applyCode(code: CodeToApply): Promise<void>;
}

/** Actions of the window on MCP servers. Errors reject with a message for the user. */
export interface ServersWindow {
  /** Opens a file where servers are configured, or the setting by its name. */
  open(file: string, line?: number): Promise<void>;
  /** Opens the place to add a server to; a file that is not there is made. */
  add(to: 'workspace' | 'user'): Promise<void>;
  /** Sets the setting of the user in which servers are configured. */
  configure(servers: object): PromiseLike<void>;
  copy(text: string): PromiseLike<void>;
  /** Shows that work goes on until it is done. @param stop is aborted when the user does not want to wait for it any more */
  progress(title: string, stop: AbortController, work: () => Promise<void>): PromiseLike<void>;
}

/** Services behind the MCP servers page. */
export interface ServerParts extends Pick<
  AgentHost['servers'],
  'all' | 'configurations' | 'approvals' | 'choices' | 'inputs' | 'auth' | 'logs' | 'offered' | 'guardedFetch'
> {
  readonly asking: Pick<AgentHost['servers']['asking'], 'open' | 'answer' | 'onDidChange'>;
  /** The chats that are open. */
  readonly sessions: Pick<AgentHost['sessions'], 'find'>;
  readonly ports: Pick<HostPorts, 'trust' | 'folders' | 'settings'>;
  readonly window: ServersWindow;
  readonly log: Log;
}
