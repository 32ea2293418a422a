import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Judgment, PermissionMode } from '../../../src/domain/tool/permission.js';
import type { SandboxPort } from '../../../src/domain/workspace/sandbox.js';
import type { Plan, Tool, ToolContext } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createProcesses } from '../../../src/node/process/processes.js';
import { walkFolder } from '../../../src/node/files/walk-folder.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createGate } from '../../../src/permission/gate.js';
import { createBashTool } from '../../../src/tool/bash.js';
import { HELD, NOT_HELD } from '../../support/sandboxes.js';
import { HAS_BUBBLEWRAP, sandboxRig } from '../node/sandbox/rig.js';
import { ruleBook } from '../permission/rig.js';
import { loadAnalyzer } from '../permission/shell/rig.js';

const analyzer = await loadAnalyzer();

/** A workspace with everything that the attacks want, the tool that runs commands, and a gate. */
class Scene {
  readonly rig = sandboxRig();
  readonly canary = join(this.rig.base, 'PWN');
  readonly workspace = createWorkspace(() => [{ name: 'work', path: this.rig.workspace }], this.rig.home);
  readonly tool: Tool;
  /** A process with a key in its environment, as the extension host has. */
  readonly host = spawn('sleep', ['60'], { env: { HOST_KEY: 'canary' }, stdio: 'ignore' });

  constructor() {
    const { rig } = this;
    rig.write('home/.ssh/id_rsa', 'PRIVATE KEY\n');
    rig.write('work/README.md', '61\n62\n');
    rig.write('work/pair', 'PWN text\n');
    rig.write('work/opts', `${rig.home}/.ssh/id_rsa\n`);
    mkdirSync(join(rig.workspace, 'evil', 'objects'), { recursive: true });
    mkdirSync(join(rig.workspace, 'evil', 'refs'));
    rig.write('work/evil/HEAD', 'ref: refs/heads/main\n');
    rig.write(
      'work/evil/config',
      `[core]\n\trepositoryformatversion = 0\n\tworktree = ..\n\tfsmonitor = "touch ${this.canary} ${rig.workspace}/PWN; cat ${rig.home}/.ssh/id_rsa >&2; true"\n`,
    );
    execFileSync('git', ['init', '-q'], { cwd: rig.workspace });
    onTestFinished(() => void this.host.kill());
    const env = { ...process.env, HOME: rig.home };
    this.tool = createBashTool({ processes: createProcesses({ logFolder: join(rig.base, 'logs'), env, sandbox: rig.sandbox }), workspace: this.workspace });
  }

  plan(command: string, cwd?: string): Promise<Plan> {
    return this.tool.plan({ command, ...(cwd === undefined ? {} : { cwd }) }, this.context());
  }

  /** What the gate says with the analysis at work. */
  async judged(plan: Plan, mode: PermissionMode, sandbox: SandboxPort): Promise<Judgment> {
    const { workspace, rig } = this;
    const gate = createGate({
      sandbox,
      workspace,
      documents: createDiskDocuments(),
      walk: walkFolder,
      caseInsensitive: false,
      home: rig.home,
      rules: ruleBook([]),
      analyzer: () => Promise.resolve(analyzer),
      trusted: () => true,
    });
    return gate.judge({ sessionId: 's', callId: 'c', mode, plan }, new AbortController().signal);
  }

  /** The harm that comes of a command of which the analysis was fooled: it was let pass, as one that only reads. */
  async harm(command: string, cwd: string | undefined, walls: Pick<ToolContext, 'confined'>): Promise<readonly string[]> {
    const { workspace } = this.rig;
    const config = join(workspace, '.git', 'config');
    const before = readFileSync(config, 'utf8');
    const result = await this.tool.execute(await this.plan(command, cwd), { ...this.context(), ...walls });
    const said = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const decoded = Buffer.from(said.replaceAll(/[^\da-f]/g, ''), 'hex').toString('latin1');
    return [
      ...(/PRIVATE KEY|HOST_KEY=/.test(said) || /PRIVATE KEY|HOST_KEY=/.test(decoded) ? ['a secret was told'] : []),
      ...([this.canary, join(workspace, 'PWN')].some((path) => existsSync(path)) ? ['a program was run'] : []),
      ...(readFileSync(config, 'utf8') === before ? [] : ['a file was changed']),
    ];
  }

  private context(): ToolContext {
    return { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
  }
}

/** The attacks that once ran code or took a key without a question, with the folder that they run in. */
const ATTACKS: Readonly<Record<string, readonly [command: (scene: Scene) => string, cwd?: string]>> = {
  'run-01 a program that xargs runs in place of the one that was judged': [
    ({ canary, rig }) => `echo x | xargs --replace find echo . -maxdepth 0 -exec sh -c 'id > PWN; id > ${canary}; cat ${rig.home}/.ssh/id_rsa' \\;`,
  ],
  'repo-01 a folder that looks like a repository whose settings run a program': [() => 'git status', 'evil'],
  'table-01 an option of xxd that makes the second file its output': [() => 'xxd -r -ps README.md .git/config'],
  'table-01 an option of xxd that takes a key for its value': [({ rig }) => `xxd -pc ${rig.home}/.ssh/id_rsa`],
  'awk-01 a slash in brackets that hides a brace': [() => "awk '{ n = /[/]}/ / 1; print $2 > $1 }' pair"],
  'awk-02 a division that is taken for a regular expression': [() => "awk 'x / 1 || 1 { y = 2 / 1; print $2 > $1 }' pair"],
  'name-01 a loop variable that a file gives another value': [() => 'for f in README.md; do read -r f < opts; cat "$f"; done'],
  'name-02 the same in a loop of lines': [() => 'for f in README.md; do while read -r f; do cat "$f"; done < opts; done'],
  'name-03 an inner loop over the same variable': [() => 'for f in README.md; do for f in $(cat opts); do :; done; cat "$f"; done'],
  'env-01 the environment of the host': [({ host }) => `xxd -pc /proc/${host.pid ?? 0}/environ`],
};

describe.each(Object.entries(ATTACKS))('%s', (_, [commandOf, cwd]) => {
  it('is stopped by the analysis alone, in the modes default, plan, and acceptEdits', async () => {
    const scene = new Scene();
    const plan = await scene.plan(commandOf(scene), cwd);
    for (const mode of ['default', 'plan', 'acceptEdits'] as const) {
      for (const sandbox of [HELD, NOT_HELD]) expect([mode, (await scene.judged(plan, mode, sandbox)).type]).not.toEqual([mode, 'allow']);
    }
    expect(existsSync(scene.canary)).toBe(false);
  });

  it.runIf(HAS_BUBBLEWRAP)('does no harm in the sandbox when the analysis is fooled, and would outside of it', async () => {
    const [held, free] = [new Scene(), new Scene()];
    expect(await held.harm(commandOf(held), cwd, { confined: { readable: [] } })).toEqual([]);
    expect(await free.harm(commandOf(free), cwd, {})).not.toEqual([]);
  });
});
