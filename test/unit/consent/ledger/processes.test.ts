import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { approvingProcess } from '../../../support/approving-process.js';
import { runs } from '../../../support/runs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { namesIn, SharedStorage, kindOf } from './rig.js';

const STEPS = 25;
const KIND = { ...kindOf('thing', { most: 10_000 }), read: (value: unknown) => ({ text: '', ...(value as { name: string }) }) };

/** What a process said that it has done. */
interface Said {
  readonly asked: ReadonlySet<string>;
  readonly approved: ReadonlySet<string>;
  readonly revoked: ReadonlySet<string>;
  readonly errors: string;
}

/** Runs another window. @param killedAfter lines; left out: it runs to its end */
async function window(program: string, [folder, own]: readonly [string, string], killedAfter = Infinity): Promise<Said> {
  const child = spawn(process.execPath, [program, folder, own, `${STEPS}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const said = { asks: new Set<string>(), approved: new Set<string>(), revoked: new Set<string>() };
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    const [verb = '', name = ''] = line.split(' ');
    said[verb as keyof typeof said].add(name);
    if ((lines += 1) === killedAfter) child.kill('SIGKILL');
  }
  await ended;
  return { asked: said.asks, approved: said.approved, revoked: said.revoked, errors };
}

it('processes that approve and revoke at the same time lose nothing, and bring nothing back, also when one of them is killed', async () => {
  const program = await approvingProcess(temporaryFolder());
  for (let run = 0; run < Math.ceil(runs(50) / 5); run += 1) {
    const storage = new SharedStorage();
    const all = await Promise.all([
      window(program, [storage.folder, 'a']),
      window(program, [storage.folder, 'b']),
      window(program, [storage.folder, 'killed'], 5 + 3 * run),
    ]);
    const union = (of: (said: Said) => ReadonlySet<string>): ReadonlySet<string> => new Set(all.flatMap((said) => [...of(said)]));
    const [asked, approved, revoked] = [union((said) => said.asked), union((said) => said.approved), union((said) => said.revoked)];
    const left = namesIn(storage.window().ledger, KIND);
    expect(all.map(({ errors }) => errors)).toEqual(['', '', '']);
    expect(left.filter((name) => revoked.has(name) || !asked.has(name))).toEqual([]);
    // What the killed one was about to revoke may be gone.
    const lost = [...approved].filter((name) => !revoked.has(name) && !left.includes(name));
    expect(lost.length).toBeLessThanOrEqual(1);
    expect([new Set(left).size, statSync(storage.file).mode & 0o777]).toEqual([left.length, 0o600]);
    await storage
      .window()
      .ledger.of(KIND)
      .change(() => []);
    expect(storage.names).toEqual(['gnomon-approvals.json']);
  }
}, 120_000);
