import * as os from 'node:os';
import { CHECK_APPROVALS } from '../checks/approval.js';
import { ProjectChecks } from '../checks/project-checks.js';
import type { UserSettings } from '../customization/user-settings.js';
import type { Approvals } from '../domain/host/approvals.js';
import type { Disposable } from '../domain/host/disposable.js';
import { boundContent } from '../node/files/bound-content.js';
import { readRealFile } from '../node/files/configuration-file.js';
import { commandEnvironment, type Killable } from '../node/process/command-run.js';
import { createProcesses } from '../node/process/processes.js';
import { type Ground, outputFolderIn } from './ground.js';
import type { AgentHostPorts } from './host-ports.js';
import { projectFiles } from './project-files.js';

/** Bytes of the output of a check that are read when it is longer than what is kept in memory. */
const MAX_LOG_BYTES = 1024 * 1024;

/** Services behind the checks: approvals that all windows share, and the user’s settings. */
interface Deps {
  readonly approvals: Approvals;
  readonly userSettings: Pick<UserSettings, 'checkTimeoutMs' | 'commandVariables'>;
}

/** The checks in the folders of each ground. They run in its sandbox, with its rules for what is read. */
export class HostChecks implements Disposable {
  private readonly made = new WeakMap<Ground, ProjectChecks>();
  private readonly running = new Set<Killable>();

  constructor(
    private readonly ports: AgentHostPorts,
    private readonly deps: Deps,
  ) {}

  in(ground: Ground): ProjectChecks {
    const made = this.made.get(ground) ?? this.make(ground);
    this.made.set(ground, made);
    return made;
  }

  /** Ends those that run. */
  dispose(): void {
    for (const command of this.running) command.kill();
  }

  private make(ground: Ground): ProjectChecks {
    const { trust, storage } = this.ports;
    const { approvals, userSettings } = this.deps;
    const { sandbox } = ground;
    const variables = userSettings.commandVariables;
    const processes = createProcesses({ logFolder: outputFolderIn(storage.workspace), env: process.env, sandbox, variables, running: this.running });
    return new ProjectChecks({
      files: projectFiles,
      bound: (binding, folder, signal) => boundContent(binding, { folders: [folder], folder }, signal),
      processes,
      readLog,
      sandbox: () => sandbox.state(),
      environment: () => commandEnvironment(process.env, variables()),
      approvals: approvals.of(CHECK_APPROVALS),
      trusted: trust.trusted,
      home: os.homedir(),
      platform: process.platform,
      timeoutMs: userSettings.checkTimeoutMs,
      now: Date.now,
    });
  }
}

async function readLog(path: string): Promise<string | undefined> {
  const read = await readRealFile({ path, maxBytes: MAX_LOG_BYTES }, new AbortController().signal);
  return read === undefined || 'problem' in read ? undefined : read.text;
}
