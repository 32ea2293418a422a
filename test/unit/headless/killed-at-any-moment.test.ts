import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { selected, TestEditor } from '../../support/acp-editor.js';
import { programHere } from '../../support/entries/program-here.js';
import { MODEL } from '../../support/entries/entry.js';
import { type ProgramEnd, programWithModel, RunningProgram } from '../../support/headless-program.js';
import { lastUserText, reply, type StreamReply } from '../../support/model-server/index.js';
import { processesWithHome } from '../../support/running-processes.js';
import { ALL_RUNS, someNth } from '../../support/runs.js';
import { writeAt } from '../../support/temporary-folder.js';

const program = programWithModel();
const SUMS = { command: process.execPath, args: [join(import.meta.dirname, '../../support/mcp/modern-server.mjs')] };
const LONG = `The beginning.\n${'a line of a long file\n'.repeat(20_000)}`;
const CHANGED = LONG.replace('The beginning.', 'A change.');

/** A job with everything that starts processes and writes files. What is told of each step is in none of what the model asked for. */
const STEPS: readonly StreamReply[] = [
  reply().text('The first step.').toolCall('write', { file_path: 'long.txt', content: LONG }),
  reply().text('The second step.').toolCall('bash', { command: 'sleep 300 & a=$!; setsid sleep 301 & sleep 0.2; kill $a $!; echo $((20 + 22)) ran' }),
  reply().text('The third step.').toolCall('mcp__sums__add', { a: 987_000_000, b: 612_345 }),
  reply().text('The fourth step.').toolCall('edit', { file_path: 'long.txt', old_string: 'The beginning.', new_string: 'A change.' }),
  reply().text('The last step.'),
];
const WORDS = ['The first step.', 'The second step.', 'The third step.', 'The fourth step.', 'The last step.'];
/** With a sum that no id has in it by chance. */
const TOLD = [...WORDS, '42 ran', '987612345'];
/** How often a job is killed. */
const KILLS = ALL_RUNS ? 48 : 1;
const GOES_ON = 'And on it goes.';

/** Makes the place of a job: a server, and hooks beside each call. */
function prepare(): void {
  program.server.setScript(({ body }) => {
    if (lastUserText(body).includes('Go on')) return reply().text(GOES_ON);
    const said = body.messages.filter(({ role }) => role === 'assistant').length;
    return STEPS[said] ?? reply().text('No more steps.');
  });
  writeAt(join(program.home, '.claude', 'settings.json'), {
    permissions: { defaultMode: 'bypassPermissions' },
    hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'sleep 0.05; cat > last-hook' }] }] },
  });
}

/** A job that was begun. */
interface Begun {
  /** Resolves when it is done, or when nobody is left to do it. */
  readonly over: Promise<unknown>;
  /** Ends one of the processes that do it as a power failure would. */
  readonly kill: () => void;
  /** What whoever waits for it was told so far. */
  readonly told: () => string;
}

const here = (...args: readonly string[]): Promise<ProgramEnd> => {
  const { folder, home, env } = program;
  return programHere.run(args, { folder, home, env });
};

const BYPASS = ['--permission-mode', 'bypassPermissions'];
const LINES = ['-p', 'Do the job', '--output-format', 'stream-json', '--mcp-config', JSON.stringify({ mcpServers: { sums: SUMS } }), ...BYPASS];

/** Kills the program. Where nothing holds commands, what was started only starts it. */
function kill(run: RunningProgram): void {
  run.process.kill('SIGKILL');
  for (const pid of processesWithHome(program.home, 'gnomon.js')) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended just now.
    }
  }
}

const byLines = (sandbox: boolean) => (): Begun => {
  const run = program.start(LINES, { input: '', sandbox });
  return { over: run.end, kill: () => kill(run), told: () => run.output };
};

function byEditor(): Begun {
  const run = program.start(['acp', '--model', MODEL]);
  const editor = new TestEditor(run);
  editor.choose = () => selected('allow_once');
  const done = async (): Promise<void> => {
    await editor.initialize();
    const { sessionId } = await editor.agent.request('session/new', { cwd: program.folder, mcpServers: [{ name: 'sums', env: [], ...SUMS }] });
    await editor.prompt(sessionId, 'Do the job');
    run.process.stdin.end();
  };
  // The connection ends with the program.
  done().catch(() => undefined);
  // The pieces of an answer are told before it is kept; what calls did is told when it is.
  return { over: run.end, kill: () => kill(run), told: () => JSON.stringify([...callsOf(editor).values()].filter(({ status }) => status === 'completed')) };
}

/** The calls as an editor shows them. An update has only what has changed: what a command has printed can have been told before its end. */
function callsOf(editor: TestEditor): ReadonlyMap<string, Partial<ToolCallUpdate>> {
  const calls = new Map<string, Partial<ToolCallUpdate>>();
  for (const update of editor.updates()) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') continue;
    calls.set(update.toolCallId, { ...calls.get(update.toolCallId), ...update });
  }
  return calls;
}

/** A program that uses the library. It is killed itself: what it has started has to end with it. */
function byLibrary(): Begun {
  const path = join(program.home, 'caller.mjs');
  writeFileSync(
    path,
    `import { query } from ${JSON.stringify(pathToFileURL(program.path('library.js')).href)};
    const options = { model: '${MODEL}', permissionMode: 'bypassPermissions', mcpServers: ${JSON.stringify({ sums: SUMS })} };
    for await (const message of query({ prompt: 'Do the job', options })) console.log(JSON.stringify(message));`,
  );
  const run = new RunningProgram(path, [], { folder: program.folder, home: program.home, env: program.env, input: '' });
  return { over: run.end, kill: () => run.process.kill('SIGKILL'), told: () => run.output };
}

const storedIn = async (): Promise<readonly { readonly id: string }[]> => {
  const { code, output, errors } = await here('sessions', 'list', '--json');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { readonly id: string });
};

/** What has to hold whenever a job was ended. */
async function checkWhatIsLeft(told: string, when: string): Promise<void> {
  await expect.poll(() => processesWithHome(program.home), { timeout: 10_000, message: when }).toEqual([]);
  const long = join(program.folder, 'long.txt');
  if (existsSync(long)) expect([LONG, CHANGED], when).toContain(readFileSync(long, 'utf8'));
  const sessions = await storedIn();
  const isBegun = told.includes(TOLD[0] ?? '');
  expect(sessions.length, when).toBeGreaterThanOrEqual(isBegun ? 1 : 0);
  const next = await here('--model', MODEL, '-p', 'Go on', ...(sessions.length > 0 ? ['--continue'] : []));
  expect(next, when).toMatchObject({ code: 0, output: `${GOES_ON}\n` });
  expect(next.errors, when).not.toContain('could not be saved');
  const latest = program.server.requests.at(-1);
  expect(latest?.problem, when).toBeUndefined();
  const kept = JSON.stringify(latest?.body.messages);
  expect(
    TOLD.filter((text) => told.includes(text) && !kept.includes(text)),
    when,
  ).toEqual([]);
  expect(await storedIn(), when).toHaveLength(1);
}

/** When the requests of a job came, in milliseconds from its beginning. */
const momentsOf = (): Promise<readonly number[]> => {
  const start = performance.now();
  return Promise.all(STEPS.map((_, n) => program.server.request(n).then(() => performance.now() - start)));
};

describe.skipIf(process.platform !== 'linux')('a job that is killed at any moment leaves nothing running, and a session with all that was told', () => {
  const ways: readonly (readonly [string, () => Begun, readonly string[]])[] = [
    ['by lines of JSON', byLines(true), []],
    ['as the agent of an editor', byEditor, WORDS],
    ['by lines of JSON, where nothing holds commands', byLines(false), []],
    ['by a program with the library, which is killed', byLibrary, []],
  ];
  // Every second of them in a run, and all in the soak.
  it.each(someNth(ways, 2))('%s', { timeout: (KILLS + 3) * 15_000 }, async (_way, begin, untold) => {
    prepare();
    const requests = momentsOf();
    const start = performance.now();
    const whole = begin();
    await whole.over;
    const moments = [0, ...(await requests), performance.now() - start];
    await checkWhatIsLeft(whole.told(), 'not killed');
    expect(TOLD.filter((text) => !whole.told().includes(text))).toEqual(untold);
    expect(readFileSync(join(program.folder, 'long.txt'), 'utf8')).toBe(CHANGED);
    const first = Math.floor(Math.random() * (moments.length - 1));
    for (let n = 0; n < KILLS; n += 1) {
      await program.server.close();
      await program.begin();
      prepare();
      // Beside a step that has begun: how long each takes changes with what else the machine does.
      const step = (first + n) % (moments.length - 1);
      const ms = Math.random() * ((moments[step + 1] ?? 0) - (moments[step] ?? 0));
      const job = begin();
      if (step > 0) await Promise.race([job.over, program.server.request(step - 1)]);
      await Promise.race([job.over, delay(ms)]);
      job.kill();
      await job.over;
      await checkWhatIsLeft(job.told(), `killed ${ms.toFixed()} ms after the beginning of step ${step}`);
    }
  });
});
