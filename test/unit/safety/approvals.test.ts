import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApprovalLedger } from '../../../src/consent/ledger/approval-ledger.js';
import { PERMISSION_MODES, type Judgment, type PermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { walkFolder } from '../../../src/node/files/walk-folder.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createHookRunner } from '../../../src/node/hook/hook-runner.js';
import { createReadGuard } from '../../../src/permission/files/read-guard.js';
import { createGate } from '../../../src/permission/gate.js';
import { HELD, NOT_HELD } from '../../support/sandboxes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { namesIn, THINGS, thing } from '../consent/ledger/rig.js';
import { MemoryLog } from '../engine/rig.js';
import { ScriptedDialogs } from '../consent/rig.js';
import { HAS_BUBBLEWRAP, sandboxRig } from '../node/sandbox/rig.js';
import { edits, planOf, reads, reasonsOf, ruleBook, runs } from '../permission/rig.js';
import { loadAnalyzer } from '../permission/shell/rig.js';

const analyzer = await loadAnalyzer();
/** Rules that allow as much as rules can without naming the file. */
const BROAD = ['allow Read', 'allow Edit', 'allow Bash', 'allow Read(~/**)', 'allow Edit(~/**)', 'allow Read(//**)', 'allow Edit(//**)'];
const SIGNAL = new AbortController().signal;

function ledgerIn(folder: string): ApprovalLedger {
  return new ApprovalLedger({ folder, workspace: () => '', dialogs: new ScriptedDialogs(), log: new MemoryLog() });
}

/** A user whose approvals are in a folder of their home, and what is open. */
class Scene {
  readonly home = temporaryFolder();
  readonly storage: string;
  readonly file: string;
  readonly root: string;

  /** @param storage @param open both from the home folder on */
  constructor(storage: string, open: string) {
    this.storage = join(this.home, storage);
    this.root = join(this.home, open);
    for (const folder of [this.storage, this.root]) mkdirSync(folder, { recursive: true });
    this.file = join(this.storage, 'gnomon-approvals.json');
  }

  async approve(): Promise<this> {
    await ledgerIn(this.storage)
      .of(THINGS)
      .change(() => [thing('canary')]);
    return this;
  }

  private get workspace() {
    return createWorkspace(() => [{ name: 'ws', path: this.root }], this.home);
  }

  judge(plan: Plan, mode: PermissionMode, sandbox = HELD): Promise<Judgment> {
    const gate = createGate({
      ...{ sandbox, workspace: this.workspace, home: this.home, caseInsensitive: false, rules: ruleBook(BROAD) },
      documents: createDiskDocuments(),
      walk: walkFolder,
      analyzer: () => Promise.resolve(analyzer),
      trusted: () => true,
    });
    return gate.judge({ sessionId: 's', callId: 'c', mode, plan }, SIGNAL);
  }

  guard() {
    return createReadGuard({ workspace: this.workspace, home: this.home, caseInsensitive: false, rules: ruleBook(BROAD) });
  }
}

const PLACES: readonly (readonly [string, string, string])[] = [
  ['VS Code', '.config/Code/User/globalStorage/gnomon.gnomon', 'project'],
  ['a program without a window', '.local/share/gnomon', 'project'],
  ['a storage in a workspace', 'project/data', 'project'],
  ['a workspace that is the storage', 'store', 'store'],
];

describe.each(PLACES)('the approvals of %s', (_, storage, open) => {
  it('are read and changed by no tool without a question that names the file, in any mode, whatever rules allow', async () => {
    const scene = await new Scene(storage, open).approve();
    const { file, root } = scene;
    symlinkSync(file, join(root, 'harmless.txt'));
    const plans: readonly Plan[] = [
      reads(file),
      reads(join(root, 'harmless.txt')),
      planOf('grep', [{ kind: 'read', target: file }]),
      edits(file),
      edits(join(root, 'harmless.txt')),
      edits(`${file}.1-0a.tmp`),
      planOf('write', [{ kind: 'write', target: file }]),
    ];
    for (const mode of PERMISSION_MODES) for (const plan of plans) expect(answer(await scene.judge(plan, mode)), `${mode} ${plan.tool}`).toBe('named');
  });

  it('are read and changed by no command that names the file without such a question, in the sandbox or outside of it', async () => {
    const scene = await new Scene(storage, open).approve();
    const { file, root } = scene;
    symlinkSync(file, join(root, 'harmless.txt'));
    const lines = [
      `cat ${file}`,
      `head -c 100 < ${file}`,
      `grep -o canary ${file}`,
      'cat harmless.txt',
      `echo '{}' > ${file}`,
      'echo x >> harmless.txt',
      `cp other.json ${file}`,
      `mv other.json ${file}`,
      `rm ${file}`,
      `sed -i s/a/b/ ${file}`,
      `tee ${file} < other.json`,
      `ln -sf other.json ${file}`,
      `cd ${scene.storage} && cat gnomon-approvals.json`,
      `node -e 'require("fs").writeFileSync(process.argv[1], "{}")' ${file}`,
    ];
    for (const mode of PERMISSION_MODES) {
      for (const line of lines) {
        for (const sandbox of [HELD, NOT_HELD]) expect(answer(await scene.judge(runs(line, root), mode, sandbox)), `${mode} ${line}`).toBe('named');
        expect(answer(await scene.judge({ ...runs(line, root), unconfined: true }, mode)), `${mode} unconfined ${line}`).toBe('named');
      }
    }
  });

  it('are left out of what searches show, also copies that are kept of a damaged file', async () => {
    const scene = await new Scene(storage, open).approve();
    const guard = await scene.guard();
    const copies = [scene.file, `${scene.file}.damaged-2026-11-27T12-00-00-000Z`, `${scene.file}.77-0a.tmp`, scene.file.toUpperCase()];
    expect(copies.map((path) => guard(path))).toEqual([false, false, false, false]);
  });
});

it.runIf(HAS_BUBBLEWRAP)('a command in the sandbox neither reads nor changes the approvals, wherever they are', async () => {
  const rig = sandboxRig();
  for (const folder of [join(rig.workspace, 'data'), join(rig.home, '.config/Code/User/globalStorage/gnomon.gnomon')]) {
    mkdirSync(folder, { recursive: true });
    await ledgerIn(folder)
      .of(THINGS)
      .change(() => [thing('canary')]);
    const file = join(folder, 'gnomon-approvals.json');
    const before = readFileSync(file, 'utf8');
    for (const hosts of [undefined, []]) {
      const options = hosts === undefined ? {} : { hosts };
      const { output } = await rig.run(`cat ${file}; grep -r canary ${folder}; cp ${file} copy; cat copy; ln ${file} linked; cat linked`, options);
      expect(output).not.toContain('as it is');
      await rig.run(`echo '{}' > ${file}; rm -f ${file}; mv -f copy ${file}; python3 -c 'open("${file}", "w")'`, options);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toBe(before);
      expect(namesIn(ledgerIn(folder))).toEqual(['canary']);
    }
  }
});

it('a hook is told nothing of where the approvals are, even where a variable of the program says it', async () => {
  const storage = temporaryFolder();
  vi.stubEnv('VSCODE_GLOBAL_STORAGE', storage);
  const runner = createHookRunner();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    runner.dispose();
  });
  const start = {
    handler: { type: 'command', command: 'env' } as const,
    input: '{}',
    timeoutMs: 20_000,
    cwd: temporaryFolder(),
    variables: { GNOMON_PROJECT_DIR: '/w' },
  };
  const ran = await runner.run(start, SIGNAL);
  const printed = ran.type === 'exited' ? Buffer.from(ran.stdout).toString() : ran.type;
  expect(printed).toContain('GNOMON_PROJECT_DIR=/w');
  expect(printed).not.toContain(storage);
});

/** `named` for a question that names the file and for a refusal; else what was decided. */
function answer(judgment: Judgment): string {
  if (judgment.type === 'deny') return 'named';
  const names = /gnomon-approvals\.json|harmless\.txt/;
  return judgment.type === 'ask' && names.test(reasonsOf(judgment)) ? 'named' : JSON.stringify(judgment);
}
