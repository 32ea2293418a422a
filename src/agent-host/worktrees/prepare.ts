import { randomUUID } from 'node:crypto';
import { t } from '../../domain/l10n.js';
import { textContent } from '../../domain/model/message.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { showCommand } from '../../text/show.js';
import { readWorktree, writeRecord } from '../../worktree/record.js';
import { readSetUpPlan } from '../../worktree/set-up-plan.js';
import { type SetUpRunner, type SetUpStep, setUp } from '../../worktree/set-up.js';
import type { UsedWorktree } from './worktrees.js';

/** Milliseconds that a command of a set-up may take. */
const COMMAND_MS = 600_000;
/** Characters of what a command printed that are told, from its end. */
const MAX_OUTPUT = 2_000;

/** How the set-up is stopped, and who is told how far it is. */
export interface Preparing {
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

/**
 * Gets a worktree ready that is not yet, as the files for that say: copies listed files, and runs commands. Each command is a call of the session that works
 * there, so that rules, the mode, hooks, and prompts decide about it as about any other, and what it prints stands in the conversation.
 * @throws Error with a sentence for the user and for models where a file cannot be read, or a command fails
 */
export async function prepareWorktree({ worktree: opened, main }: UsedWorktree, session: AgentSession, { signal, tell }: Preparing): Promise<void> {
  const worktree = (await readWorktree(opened.unit)) ?? opened;
  if (worktree.record.prepared === true) return;
  const plan = await readSetUpPlan([worktree.tree, main.root], process.platform, signal);
  for (const { path, problem } of plan.files) if (problem !== undefined) throw new Error(t('The set-up file {0} cannot be used: {1}', path, problem));
  const run: SetUpRunner = async (command) => {
    tell(`set-up: ${command}`);
    const block = {
      type: 'tool_call',
      id: `setup-${randomUUID()}`,
      name: 'bash',
      arguments: JSON.stringify({ command, cwd: worktree.tree, timeout_ms: COMMAND_MS }),
    } as const;
    const words = t('Sets the worktree up, as {0} says.', plan.files.map(({ path }) => path).join(', '));
    const result = await session.call({ block, words, purpose: words, signal });
    // What was denied printed nothing, and says why.
    return { exitCode: result.printed?.exitCode, output: result.printed?.text ?? textContent(result) };
  };
  const { kind, steps } = await setUp(plan, { worktree, main, run }, signal);
  const last = steps.at(-1);
  if (kind === 'failed' && last !== undefined) throw new Error(failedWords(last));
  await writeRecord(worktree.unit, { ...worktree.record, listed: [...plan.copy], prepared: true });
}

/** What failed, and on the lines below that what was printed last. */
function failedWords({ command, exitCode, output }: SetUpStep): string {
  const line = showCommand(command);
  const what =
    exitCode === undefined
      ? t('The set-up of the worktree failed at “{0}”.', line)
      : t('The set-up of the worktree failed at “{0}” (exit code {1}).', line, exitCode);
  return `${what}\n${output.trim().slice(-MAX_OUTPUT)}`.trim();
}
