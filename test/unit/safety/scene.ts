import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Judgment, PermissionMode } from '../../../src/domain/tool/permission.js';
import type { SandboxPort } from '../../../src/domain/workspace/sandbox.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { walkFolder } from '../../../src/node/files/walk-folder.js';
import { type GitList, listGit } from '../../../src/node/process/list-git.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { createGate } from '../../../src/permission/gate.js';
import { HELD } from '../../support/sandboxes.js';
import { ruleBook, runs } from '../permission/rig.js';
import { loadAnalyzer } from '../permission/shell/rig.js';

const analyzer = await loadAnalyzer();

/** How a line is judged, beside its text. */
export interface Circumstances {
  readonly mode?: PermissionMode;
  /** Rules of the user, such as `allow Bash(npm test:*)`. */
  readonly rules?: readonly string[];
  /** The folder it runs in, relative to the workspace. */
  readonly cwd?: string;
  readonly sandbox?: SandboxPort;
}

/**
 * A real project in a real folder, beside a home directory with keys; the real gate on both. The project has what an
 * attacker can commit: links that lead out, and a folder that looks like a repository.
 */
export class ProjectScene {
  readonly home: string;
  readonly root: string;
  /** Milliseconds that a decision may ask Git for: many more than in use, so that no busy machine changes what a test sees. */
  withinMs = 20_000;
  /** Whether the project stays as it is from here on: then Git is asked each question once, however many lines need the answer. */
  isDone = false;
  private readonly answers = new Map<string, ReturnType<typeof wholeList>>();

  /**
   * @param base an empty folder, with every link resolved.
   * @param hostile whether somebody committed what they should not have.
   */
  constructor(
    private readonly base: string,
    hostile = true,
  ) {
    this.home = join(base, 'home');
    this.root = join(base, 'ws');
    this.write('home/.ssh/id_rsa', 'PRIVATE KEY\n');
    this.write('home/.netrc', 'machine x.test login me password hunter2\n');
    this.write('home/project/file.txt', 'of another project\n');
    this.write('home/project/sub/.env', 'TOKEN=hunter2\n');
    for (const [name, text] of Object.entries(FILES)) this.write(`ws/${name}`, text);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: this.root });
    if (!hostile) return;
    symlinkSync(join(this.home, '.ssh', 'id_rsa'), join(this.root, 'links', 'key'));
    symlinkSync(join(this.home, '.ssh'), join(this.root, 'link'));
    linkSync(join(this.home, 'project', 'file.txt'), join(this.root, 'src', 'hard.ts'));
  }

  /** What the gate says to a command. */
  judge(command: string, { mode = 'default', rules = [], cwd, sandbox = HELD }: Circumstances = {}): Promise<Judgment> {
    return this.judgePlan(runs(command, cwd === undefined ? this.root : join(this.root, cwd)), { mode, rules, sandbox });
  }

  /** What the gate says to any plan. */
  judgePlan(plan: Plan, { mode = 'default', rules = [], sandbox = HELD }: Circumstances = {}): Promise<Judgment> {
    const workspace = createWorkspace(() => [{ name: 'ws', path: this.root }], this.home);
    const gate = createGate({
      sandbox,
      workspace,
      documents: createDiskDocuments(),
      walk: walkFolder,
      git: { list: this.isDone ? (asked, visit) => this.listOnce(asked, visit) : listGit, withinMs: this.withinMs },
      caseInsensitive: false,
      home: this.home,
      rules: ruleBook(rules),
      analyzer: () => Promise.resolve(analyzer),
      trusted: () => true,
    });
    return gate.judge({ sessionId: 's', callId: 'c', mode, plan }, new AbortController().signal);
  }

  private async listOnce(asked: GitList, visit: (part: string) => boolean): ReturnType<typeof listGit> {
    const key = JSON.stringify([asked.folder, asked.args, asked.input]);
    const answer = this.answers.get(key) ?? wholeList(asked);
    this.answers.set(key, answer);
    const { parts, listed } = await answer;
    return parts.every((part) => visit(part)) ? listed : 'part';
  }

  private write(name: string, text: string): void {
    const path = join(this.base, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** All that Git lists. */
async function wholeList(asked: GitList): Promise<{ readonly parts: readonly string[]; readonly listed: Awaited<ReturnType<typeof listGit>> }> {
  const parts: string[] = [];
  const listed = await listGit(asked, (part) => parts.push(part) > 0, new AbortController().signal);
  return { parts, listed };
}

/** The project. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# A project\n',
  'package.json': '{ "name": "a", "scripts": { "test": "node --test" } }\n',
  'tsconfig.json': '{}\n',
  'nums.txt': '1\n2\n',
  '.gitignore': 'node_modules\n',
  '.env': 'TOKEN=hunter2\n',
  '.env.example': 'TOKEN=\n',
  '.vscode/settings.json': '{}\n',
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 2;\n',
  'src/a.test.ts': '\n',
  'src/lib/deep.ts': '\n',
  'sub/a.ts': '\n',
  'links/readme': '\n',
  'node_modules/x/package.json': '{ "scripts": { "test": "touch PWN" } }\n',
  'evil/HEAD': 'ref: refs/heads/main\n',
  'evil/config': '[core]\n\tfsmonitor = touch PWN\n',
  'evil/objects/keep': '',
  'evil/refs/keep': '',
  opts: '/etc/passwd\n',
};
