import type { RuleCheck } from '../consent/rules/rule-entries.js';
import type { HostRules } from '../consent/rules/create-rule-book.js';
import type { Manifest } from '../customization/effective-values.js';
import type { Clock } from '../domain/clock.js';
import type { Disposable } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import type { McpEntry } from '../domain/mcp/config.js';
import type { McpSignInPorts } from '../domain/mcp/sign-in.js';
import type { CallbackHooks } from '../domain/hook/runner.js';
import type { EnvironmentFact } from '../domain/session/environment.js';
import type { Tool } from '../domain/tool/tool.js';
import type { ChangeRecorder, ReviewedChanges } from '../domain/workspace/changes.js';
import type { Diagnostics, Symbols } from '../domain/workspace/code-intelligence.js';
import type { Documents } from '../domain/workspace/documents.js';
import type { MayShow, Search } from '../domain/workspace/search.js';
import type { SdkServers } from '../mcp/client/transport/in-process-transport.js';
import type { ModelsDeps } from '../models/create-models.js';
import type { Sandbox } from '../node/sandbox/sandbox.js';
import type { AskUser } from './servers/inputs.js';
import type { LogChannel } from './servers/server-logs.js';

/** Ports that the host program, such as VS Code, implements for an agent host. They work without a window, too. */
export interface AgentHostPorts extends HostPorts {
  readonly log: Log;
  readonly clock: Clock;
  /** The stored keys that were used so far: what is shown or written is cleaned of them. */
  readonly keys: Set<string>;
  /**
   * Absolute paths of the folders for what is kept: of this workspace, and of the user whatever the workspace; and of the one with the folder of
   * the sessions, where that is not in the first.
   */
  readonly storage: { readonly workspace: string; readonly global: string; readonly sessions?: string };
  readonly manifest: Manifest;
  /** Absolute path of the folder with the grammars that commands are read with. */
  readonly grammars: string;
  readonly workspace: WorkspacePorts;
  readonly rules: HostRules & { readonly check: RuleCheck };
  readonly models: Pick<ModelsDeps, 'editor' | 'warn'>;
  readonly servers: ServerPorts;
  /** Tools that others bring, such as other extensions; in a stable order. */
  readonly offered: { readonly all: readonly Tool[] };
  /** Present where no earlier version of this program kept approvals elsewhere: there is nothing to take over. */
  readonly noEarlierApprovals?: true;
  /** Hooks of the program that started this one; absent where there are none. */
  readonly callbackHooks?: CallbackHooks;
  /** Milliseconds that a decision may take to ask Git what a command would show. Left out: so few that nobody at a window waits. */
  readonly decisionGitMs?: number;
  /** Present where the user has said in starting the program that permissions may be bypassed. Absent: they are asked. */
  readonly bypassConfirmed?: true;
  /** Shows the user where they approve hooks or servers. */
  readonly review: (kind: 'hooks' | 'servers') => PromiseLike<unknown>;
}

/** Ports for files: reading, changing, and searching them, with diagnostics and symbols. */
export interface WorkspacePorts {
  readonly documents: Documents;
  readonly search: (guard: () => Promise<MayShow>) => Search;
  /** What language servers know; absent where there are none. */
  readonly diagnostics?: Diagnostics;
  readonly symbols?: Symbols;
  /** Records what calls change, so that it can be undone. */
  readonly changes: ChangeRecorder;
  /** What the user does with these changes. Absent where nobody keeps or undoes them one by one. */
  readonly reviewed?: ReviewedChanges;
  /** Tells the sandbox which files come into being, and which of them the user or the editor makes. Absent: it searches for them before each command. */
  readonly watchNewFiles?: (told: Pick<Sandbox, 'noteChange' | 'noteOwn'>) => Disposable;
  /** Environment facts about open editors, for the model. */
  readonly open: () => readonly EnvironmentFact[];
  /** Calls back when a file was saved, and when the user comes back. Returns how to stop that. */
  readonly onDidReturn: (listener: () => void) => () => void;
}

/** Ports for MCP servers: prompts for the user, sign-in, and servers of other extensions. */
export interface ServerPorts {
  readonly askUser: AskUser;
  readonly openLog: (name: string) => LogChannel;
  readonly signIn: McpSignInPorts;
  /** Opens an address in the browser of the user, who has agreed to it. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Servers within this process, such as those of other extensions. */
  readonly inProcess: { readonly entries: readonly McpEntry[]; readonly connect: SdkServers; readonly onDidChange: (listener: () => void) => () => void };
}
