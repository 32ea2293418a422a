import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

/** Puts a git before that of the system, until the test is over, which is killed at the commands it is told to break at and else does what that does. */
export function breakableGit(): { breakAt(word: string): void; mend(): void } {
  const folder = temporaryFolder();
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const broken = join(folder, 'broken');
  const script = ['#!/bin/sh', `if [ -e '${broken}' ]; then for word in "$@"; do [ "$word" = "$(cat '${broken}')" ] && kill -9 $$; done; fi`];
  writeFileSync(join(folder, 'git'), `${[...script, `exec '${real}' "$@"`].join('\n')}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { breakAt: (word) => writeFileSync(broken, word), mend: () => rmSync(broken, { force: true }) };
}
