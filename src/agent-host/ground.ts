import * as os from 'node:os';
import { join, relative } from 'node:path';
import type { Permissions } from '../consent/create-permissions.js';
import { linkGuards } from '../customization/link-guards.js';
import type { FileSettings } from '../customization/settings.js';
import type { Skills } from '../customization/skills.js';
import type { UserSettings } from '../customization/user-settings.js';
import { present } from '../domain/present.js';
import { mayWork } from '../domain/host/folders.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import type { Message } from '../domain/model/message.js';
import type { Instructions } from '../domain/session/context.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { Gate, RuleBook } from '../domain/tool/permission.js';
import type { Tool } from '../domain/tool/tool.js';
import { type BoundPlaces, joinedPlaces } from '../domain/workspace/binding.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { SandboxPort } from '../domain/workspace/sandbox.js';
import type { MayShow } from '../domain/workspace/search.js';
import type { StandIn, Workspace, WorkspaceFolder } from '../domain/workspace/workspace.js';
import { skillsOnWire } from '../engine/context/kept-skills.js';
import { createDiskDocuments } from '../node/files/disk-documents.js';
import { withNotebooks } from '../node/files/notebook-documents.js';
import { walkFolder } from '../node/files/walk-folder.js';
import { isWithin } from '../node/files/within.js';
import { createWorkspace } from '../node/files/workspace.js';
import { createInstructions } from '../node/instructions/instructions.js';
import { listGit } from '../node/process/list-git.js';
import type { ReadRules, Sandbox } from '../node/sandbox/sandbox.js';
import { type ReadGuardOptions, createReadGuard } from '../permission/files/read-guard.js';
import { createGate } from '../permission/gate.js';
import type { GateOptions } from '../permission/judge.js';
import type { SharedWrites } from '../tool/calls/shared-writes.js';
import { commandAnalyzer } from './command-analyzer.js';
import { WorkspaceEnvironment } from './environment.js';
import type { AgentHostPorts } from './host-ports.js';
import { createHostSandbox } from './sandbox.js';
import { type Toolbox, createToolbox } from './toolbox.js';

/** Milliseconds that a decision may take to ask Git what a command of it would show. */
const STORED_MS = 50;

/** Where the outputs of commands are kept. @param storage absolute path of the folder for what is kept of this workspace */
export function outputFolderIn(storage: string): string {
  return join(storage, 'output');
}

/** Services of the window behind the ground of any set of folders; they are shared, whatever the folders. */
export interface GroundDeps {
  readonly ports: AgentHostPorts;
  readonly permissions: Permissions;
  readonly fileSettings: FileSettings;
  readonly userSettings: UserSettings;
  readonly skills: Skills;
  /** What all sessions have written. */
  readonly writes: SharedWrites;
  /** Where what hooks and approved servers run is. */
  readonly boundPlaces: () => Promise<BoundPlaces>;
}

/** Some folders with all that works in them. Sessions of the same folders share one; one that works elsewhere has its own. */
export interface Ground extends Disposable {
  readonly workspace: Workspace;
  readonly environment: WorkspaceEnvironment;
  readonly instructions: Instructions;
  readonly sandbox: Sandbox & SandboxPort;
  /** Whether its folders are others than those of the user, see {@link Apart}. */
  readonly apart: boolean;
  /** Makes the check of which files may be shown to a model, with the rules in effect. @param session id of one whose own restrictions count, too */
  readonly readGuard: (session?: string) => Promise<MayShow>;
  /** Judges what is no call of a session. */
  readonly gate: Pick<Gate, 'judge'>;
  /** The services of the ground for one session. */
  forSession(session: GroundedSession): SessionGround;
}

/** The session that a ground is for. */
export interface GroundedSession {
  readonly id: string;
  readonly questions: Questions;
  /** The conversation so far, which says what skills are loaded. */
  readonly messages: () => readonly Message[];
}

/** Services of one session: its own processes, background commands, and tools, and the permission gate of its calls. */
export interface SessionGround {
  readonly tools: readonly Tool[];
  readonly gate: Gate;
  /** Its commands in the background. */
  readonly jobs: Pick<Jobs, 'list' | 'kill'>;
  /** Ends the commands of this session, also those in the background. */
  close(): Promise<void>;
}

/** What is different where sessions work in folders that are not those that are open, such as a worktree. */
export interface Apart {
  /** Absolute paths of folders that commands may read, beside the folders themselves. */
  readonly readable: readonly string[];
  /** Absolute paths of folders in which nothing may be written, whatever is allowed otherwise. */
  readonly closed: readonly string[];
  /** Folders whose files stand for those of others, so that rules about these count for them. */
  readonly standIns: readonly StandIn[];
  /** Variables that commands get. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Services for folders that the window does not show: no editor has files of them, and language servers know others. */
function portsApart(ports: AgentHostPorts): AgentHostPorts {
  const { search, changes, onDidReturn } = ports.workspace;
  return { ...ports, workspace: { search, changes, onDidReturn, documents: withNotebooks(createDiskDocuments()), open: () => [] } };
}

/** Builds it over some folders. @param folders those on this machine, now */
export function createGround(given: GroundDeps, folders: () => readonly WorkspaceFolder[], apart?: Apart): Ground {
  const deps = apart === undefined ? given : { ...given, ports: portsApart(given.ports) };
  const { ports, permissions, fileSettings } = deps;
  const { log, trust } = ports;
  const workspace: Workspace = { ...createWorkspace(folders, os.homedir(), () => readGuard()), ...present({ standIns: apart?.standIns }) };
  const permission = { workspace, rules: permissions.book, home: os.homedir(), caseInsensitive: process.platform !== 'linux' };
  const readGuard = (): Promise<MayShow> => createReadGuard(permission);
  const instructionFiles = new Set<string>();
  const instructions = createInstructions({
    workspace,
    home: os.homedir(),
    trusted: trust.trusted,
    ...(trust.worksUntrusted === true ? { staysUntrusted: true } : {}),
    choices: fileSettings.instructionChoices,
    ...present({ layers: ports.startedWith?.layers }),
    consent: permissions.includes,
    guards: () => linkGuards({ local: folders }, permissions.book),
    used: instructionFiles,
    log,
  });
  const environment = new WorkspaceEnvironment({ workspace, trusted: trust.trusted, open: ports.workspace.open, log });
  const stopRefreshing = ports.workspace.onDidReturn(() => void environment.refresh());
  const { sandbox, toolbox, guardFor, gateFor, disposables } = workshop(deps, { workspace, permission, readGuard, instructionFiles, ...present({ apart }) });
  return {
    workspace,
    environment,
    instructions,
    sandbox,
    apart: apart !== undefined,
    readGuard: guardFor,
    gate: gateFor(() => []),
    forSession: ({ id, questions, messages }) => {
      const jobs = toolbox.createJobs(id);
      const tools = toolbox.toolsForSession(questions, { id, jobs, readGuard: () => guardFor(id), search: ports.workspace.search(() => guardFor(id)) });
      return { tools, gate: gateFor(messages), jobs, close: () => jobs.close() };
    },
    dispose: () => together({ dispose: stopRefreshing }, environment, toolbox, ...disposables).dispose(),
  };
}

/** Tools and permission gate that all sessions of a ground share. */
interface Workshop {
  readonly toolbox: Toolbox;
  readonly sandbox: Sandbox & SandboxPort;
  /** Makes a read guard, which leaves out the files that the rules of a session restrict, too, where there is one. */
  readonly guardFor: (session?: string) => Promise<MayShow>;
  readonly gateFor: (messages: () => readonly Message[]) => Gate;
  readonly disposables: readonly Disposable[];
}

/** Workspace, permission rules, and instruction files of some folders, before any session works in them. */
interface Site {
  readonly workspace: Workspace;
  readonly permission: ReadGuardOptions & Pick<GateOptions, 'rules'>;
  readonly readGuard: () => Promise<MayShow>;
  readonly instructionFiles: ReadonlySet<string>;
  readonly apart?: Apart;
}

/** What says which files sessions may read. */
function guards(
  { book, sessionRules }: Permissions,
  permission: ReadGuardOptions,
): { readonly guardFor: Workshop['guardFor']; readonly readRules: (session: string | undefined) => Promise<ReadRules> } {
  /** With the rules that a session has of its own, as far as they restrict it. */
  const rulesOf = (session: string | undefined): Pick<RuleBook, 'ready' | 'rules'> => ({
    ready: () => book.ready(),
    rules: () => [...book.rules(), ...(session === undefined ? [] : sessionRules.of(session).filter(({ effect }) => effect !== 'allow'))],
  });
  const guardFor: Workshop['guardFor'] = (session) => createReadGuard({ ...permission, rules: rulesOf(session) });
  const readRules = async (session: string | undefined): Promise<ReadRules> => {
    // It waits until all rules are known.
    const mayRead = await guardFor(session);
    return { key: JSON.stringify(rulesOf(session).rules()), mayRead };
  };
  return { guardFor, readRules };
}

/** With the places that stand for some of them: what hooks run that belong to no folder is found from where the session works. */
function withStandIns(places: BoundPlaces, standIns: readonly StandIn[]): BoundPlaces {
  const moved = (paths: readonly string[]): readonly string[] =>
    standIns.flatMap(({ folder, for: other }) => paths.filter((path) => isWithin(other, path)).map((path) => join(folder, relative(other, path))));
  return joinedPlaces([places, { files: moved(places.files), expected: moved(places.expected), folders: moved(places.folders) }]);
}

function workshop(
  { ports, permissions, userSettings, skills, writes, boundPlaces }: GroundDeps,
  { workspace, permission, readGuard, instructionFiles, apart }: Site,
): Workshop {
  const { log, trust, storage } = ports;
  const { documents, search, diagnostics, symbols, watchNewFiles } = ports.workspace;
  const outputFolder = outputFolderIn(storage.workspace);
  const disposables: Disposable[] = [];
  const { guardFor, readRules } = guards(permissions, permission);
  const sandbox = createHostSandbox(
    {
      workspace,
      rules: readRules,
      storage: storage.workspace,
      choices: userSettings.sandboxChoices,
      readable: [outputFolder, ...(apart?.readable ?? [])],
      ...present({ watch: watchNewFiles }),
    },
    disposables,
  );
  const analyzer = commandAnalyzer(ports.grammars, log);
  const variables = userSettings.commandVariables;
  const env = { ...process.env, ...apart?.variables };
  const shared = { workspace, documents, env, ...present({ diagnostics, symbols }), readGuard, sandbox, variables, analyzer, writes };
  const toolbox = createToolbox({ ...shared, logFolder: outputFolder, search: search(readGuard), ...present({ closed: apart?.closed }) });
  const gate = {
    ...permission,
    sandbox,
    sessionRules: permissions.sessionRules,
    approved: permissions.grants.approved,
    modelUses: permissions.modelUses,
    analyzer,
    trusted: () => mayWork(trust),
    bypassDisabled: () => permissions.bypass.disabledBy() !== undefined,
    documents: createDiskDocuments(),
    walk: walkFolder,
    git: { list: listGit, withinMs: ports.decisionGitMs ?? STORED_MS },
    outputFolder,
    instructionFiles: () => instructionFiles,
    boundPlaces: async () => withStandIns(await boundPlaces(), apart?.standIns ?? []),
    ...present({ closed: apart?.closed }),
  };
  const loadedSkills = (messages: readonly Message[]): Iterable<string> => skillsOnWire(messages, undefined).loaded.keys();
  const gateFor: Workshop['gateFor'] = (messages) => createGate({ ...gate, skills: () => skills.readable(loadedSkills(messages())) });
  return { toolbox, sandbox, guardFor, gateFor, disposables };
}
