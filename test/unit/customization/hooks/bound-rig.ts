import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookDefinition, HookHandler } from '../../../../src/domain/hook/definition.js';
import { HookApprovals, type ListedHook } from '../../../../src/customization/hooks/hook-approvals.js';
import { HOOK_APPROVALS } from '../../../../src/hook/approval.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Writes files below a folder; scripts can be executed. */
export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  }
}

/** A workspace with a hook that somebody else has written, and a user who approves it. */
export class BoundHook {
  readonly folder = temporaryFolder();
  readonly home = temporaryFolder();
  private readonly kept = new MemoryApprovals();
  private readonly approvals = new HookApprovals({ trusted: () => true, folders: () => [this.folder], home: this.home, store: this.kept.of(HOOK_APPROVALS) });
  readonly hook: HookDefinition;

  constructor(handler: string | Extract<HookHandler, { type: 'command' }>, files: Readonly<Record<string, string>>) {
    put(this.folder, files);
    const origin = { layer: 'project', file: join(this.folder, '.claude/settings.json'), display: '.claude/settings.json', folder: this.folder } as const;
    this.hook = {
      event: 'PreToolUse',
      handler: typeof handler === 'string' ? { type: 'command', command: handler } : handler,
      timeoutMs: 1_000,
      dialect: 'claude',
      origin,
    };
  }

  async listed(): Promise<ListedHook> {
    const [listed] = await this.approvals.list([this.hook], [this.hook]);
    if (listed === undefined) throw new Error('The hook is not there.');
    return listed;
  }

  /** Approves it as it is. @returns what the user was told that is not bound, without that scripts may load others */
  async approve(): Promise<readonly string[]> {
    const listed = await this.listed();
    await this.approvals.approve(listed);
    return listed.notBound;
  }

  async runs(): Promise<boolean> {
    return (await this.approvals.runnable([this.hook], [this.hook])).some(({ broken }) => broken === undefined);
  }

  places(): ReturnType<HookApprovals['placesOf']> {
    return this.approvals.placesOf(this.hook);
  }

  /** Runs its line, and returns what its scripts have written into the file `ran`. */
  run(): string {
    const { handler } = this.hook;
    if (handler.type !== 'command') return '';
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home, CLAUDE_PROJECT_DIR: this.folder, ...handler.env };
    const [program, args] = handler.args === undefined ? ['bash', ['--noprofile', '--norc', '-c', handler.command]] : [handler.command, [...handler.args]];
    rmSync(join(this.folder, 'ran'), { force: true });
    try {
      execFileSync(program, args, { cwd: join(this.folder, handler.cwd ?? '.'), env, stdio: ['ignore', 'ignore', 'ignore'], timeout: 10_000 });
    } catch {
      // Whether it ran is asked for, and not how it ended.
    }
    const ran = join(this.folder, 'ran');
    return existsSync(ran) ? readFileSync(ran, 'utf8') : '';
  }
}

/** The parts of the sentence of what is not bound, without those about what scripts load in turn. */
export function beyondScripts(sentences: readonly string[]): readonly string[] {
  return sentences
    .flatMap((sentence) => /^Not checked: (.*)\. Gnomon can’t see changes to it\.$/s.exec(sentence)?.[1]?.split('; ') ?? [sentence])
    .filter((part) => !part.endsWith('loads or runs in turn'));
}
