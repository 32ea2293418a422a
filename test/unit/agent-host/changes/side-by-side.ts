import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createGitWatcher } from '../../../../src/agent-host/changes/git-watch.js';
import type { CallGround, OpenRecord, RecordedCall } from '../../../../src/domain/workspace/changes.js';
import type { TextChange } from '../../../../src/domain/workspace/documents.js';
import { LedgerStore } from '../../../../src/edits/ledger-store.js';
import { Ledger } from '../../../../src/edits/ledger.js';
import { createChangeRecorder } from '../../../../src/edits/recorder.js';
import { textCodec } from '../../../../src/edits/text-work.js';
import { UserEdits, notingPuts } from '../../../../src/edits/user-edits.js';
import { createDiskDocuments } from '../../../../src/node/files/disk-documents.js';
import { sha256 } from '../../../../src/node/files/sha256.js';
import { QUICK } from '../../../support/temporary-folder.js';
import { blobFiles, Rig } from '../../edits/rig.js';

const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

/** A folder in which several sessions work at the same time, with one recorder for all. */
export class SideBySide extends Rig {
  readonly edits = new UserEdits();
  readonly documents = createDiskDocuments();
  readonly ledger: Ledger;
  readonly recorder: ReturnType<typeof createChangeRecorder>;

  /** @param options `git` makes it a repository, with `texts` as its one commit */
  constructor({ git, texts }: { readonly git: boolean; readonly texts: Readonly<Record<string, string>> }) {
    super({ parent: QUICK });
    const { checkpoints, edits, log } = this;
    const files = notingPuts(this.files, edits);
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, log), files, codec: textCodec });
    this.recorder = createChangeRecorder({ checkpoints, ledger: this.ledger, files, edits, commands: createGitWatcher(files, log), log });
    for (const [name, text] of Object.entries(texts)) this.write(name, text);
    if (!git) return;
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'first'],
    ]) {
      execFileSync('git', args, { cwd: this.root, env });
    }
  }

  /** Begins a command of a session. */
  async command(sessionId: string, turn = 0, ground: CallGround = { folders: [this.root] }): Promise<Command> {
    const plan = { accesses: [{ kind: 'execute' as const, target: 'bash' }], changes: [] };
    const record = await this.begin({ sessionId, messageIndex: turn, ground }, plan);
    return new Command(this.root, record);
  }

  /** Begins a command of an agent that works for a chat. */
  async commandOf(agent: string): Promise<Command> {
    const call = { sessionId: 'chat', by: { id: agent, name: agent }, messageIndex: 0, ground: { folders: [this.root] } };
    return new Command(this.root, await this.begin(call, { accesses: [{ kind: 'execute', target: 'bash' }], changes: [] }));
  }

  /** Makes a planned change as an agent that works for a chat does. */
  async writeAs(agent: string, change: TextChange): Promise<void> {
    const call = { sessionId: 'chat', by: { id: agent, name: agent }, messageIndex: 0, ground: { folders: [this.root] } };
    const record = await this.begin(call, { accesses: [], changes: [change] });
    await this.documents.apply(change, new AbortController().signal);
    await record.end({ failed: false });
  }

  /** The lines of a file that are under review, each with the agent that made it; none for the chat. */
  async authors(name: string): Promise<readonly (readonly [string, string | undefined])[]> {
    await this.ledger.refresh(this.path(name));
    const lines = (this.read(name) ?? '').split('\n');
    const hunks = this.ledger.files().find(({ path }) => path === this.path(name))?.hunks ?? [];
    return hunks.flatMap(({ line, count, by }) => lines.slice(line, line + count).map((text) => [text, by?.name] as const));
  }

  /** What a tool is to write, as it is planned: the text that `change` makes of what is there now. */
  planned(name: string, change: (text: string) => string): TextChange {
    const present = this.read(name);
    const path = this.path(name);
    if (present === undefined) return { action: 'create', path, text: change('') };
    return { action: 'modify', path, baseHash: sha256(readFileSync(path)), text: change(present) };
  }

  /** Begins the call that makes a planned change. */
  async tool(sessionId: string, change: TextChange, turn = 0): Promise<ToolInProgress> {
    const record = await this.begin({ sessionId, messageIndex: turn, ground: { folders: [this.root] } }, { accesses: [], changes: [change] });
    return {
      apply: (signal = new AbortController().signal) =>
        this.documents.apply(change, signal).then(
          () => true,
          () => false,
        ),
      end: (failed) => record.end({ failed }),
    };
  }

  /** Changes a file as a user does in an editor. */
  typed(name: string, change: (text: string) => string): void {
    this.edits.note(this.path(name));
    this.write(name, change(this.read(name) ?? ''));
    this.edits.note(this.path(name));
  }

  /** The lines that are under review as changes of the agent, by file, and whose they are. */
  async claimed(): Promise<Readonly<Record<string, Claimed>>> {
    for (const { path } of this.ledger.files()) await this.ledger.refresh(path);
    return Object.fromEntries(
      this.ledger.files().map(({ path, sessions, hunks }) => {
        const name = path.slice(this.root.length + 1);
        const lines = (this.read(name) ?? '').split('\n');
        return [name, { sessions, lines: hunks.flatMap(({ line, count }) => lines.slice(line, line + count)) }];
      }),
    );
  }

  private begin(call: Omit<RecordedCall, 'callId' | 'plan'>, plan: Pick<RecordedCall['plan'], 'accesses' | 'changes'>): Promise<OpenRecord> {
    return this.recorder.begin({ ...call, callId: 'c', plan: { tool: 't', subject: '', args: {}, preview: { kind: 'none' }, ...plan } });
  }
}

/** The lines of a file that are under review. */
interface Claimed {
  readonly sessions: readonly string[];
  readonly lines: readonly string[];
}

/** A call of a tool that has begun and has written nothing yet. */
interface ToolInProgress {
  /** @returns whether it was written */
  apply(signal?: AbortSignal): Promise<boolean>;
  end(failed: boolean): Promise<void>;
}

/** A real shell that does what it is told, one line after the other. */
export class Command {
  private readonly shell: ChildProcess;
  private readonly answers: AsyncIterator<string>;

  constructor(
    cwd: string,
    private readonly record: OpenRecord,
  ) {
    this.shell = spawn('bash', { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void this.shell.kill('SIGKILL'));
    if (this.shell.stdout === null) throw new Error('The shell has no output.');
    this.answers = createInterface({ input: this.shell.stdout })[Symbol.asyncIterator]();
  }

  /** Runs a line to its end. */
  async run(line: string): Promise<void> {
    this.shell.stdin?.write(`${line}\necho done\n`);
    await this.answers.next();
  }

  /** Ends the shell, or kills it in the middle. */
  async stop(signal?: 'SIGKILL'): Promise<void> {
    const ended = once(this.shell, 'close');
    if (signal === undefined) this.shell.stdin?.end();
    else this.shell.kill(signal);
    await ended;
  }

  /** Ends the shell and has noted what it changed. */
  async end(): Promise<void> {
    await this.stop();
    await this.record.end({ failed: false });
  }

  /** Has noted what it changed, once it has stopped. */
  settled(): Promise<void> {
    return this.record.end({ failed: false });
  }
}
