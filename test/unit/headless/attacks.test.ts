import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { programWithModel, type RunningProgram } from '../../support/headless-program.js';
import { answering, lastToolResults, type ModelServer, type Reply, reply, resultText } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { nodeChat } from '../agent-host/node-chat.js';
import { HAS_BUBBLEWRAP } from '../node/sandbox/rig.js';

const KEY_WORDS = 'PRIVATE KEY canary';
const program = programWithModel();

/** A call of the tool that runs commands. */
interface Call {
  readonly command: string;
  readonly cwd?: string;
}

/** A repository with a folder that Git takes for another one, whose settings run a program, and a folder beside it with a key. */
class Scene {
  readonly folder = temporaryFolder();
  private readonly outside = temporaryFolder();

  constructor() {
    const [evil, ssh] = [join(this.folder, 'evil'), join(this.outside, '.ssh')];
    execFileSync('git', ['init', '-q'], { cwd: this.folder });
    for (const path of [join(evil, 'objects'), join(evil, 'refs'), ssh]) mkdirSync(path, { recursive: true });
    writeFileSync(join(evil, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(evil, 'config'),
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${join(this.folder, 'PWN')};:"\n`,
    );
    writeFileSync(join(ssh, 'id_rsa'), KEY_WORDS);
    writeFileSync(join(this.folder, 'package.json'), '{}\n');
  }

  /** The attacks. @param named whether they name what is outside of the workspace: those that are to get past the analysis do not, as that would ask */
  attacks(named: boolean): readonly Call[] {
    const key = join(this.outside, '.ssh', 'id_rsa');
    const hidden = `node -p 'require("fs").readFileSync(Buffer.from("${Buffer.from(key).toString('base64')}", "base64"), "utf8")'`;
    return [
      { command: `echo x | xargs --replace find echo . -maxdepth 0 -exec sh -c 'id > PWN${named ? `; id > ${join(this.outside, 'PWN')}` : ''}' \\;` },
      { command: 'git status', cwd: 'evil' },
      { command: named ? `xxd -pc ${key}` : hidden },
    ];
  }

  harm({ requests }: ModelServer): readonly string[] {
    const told = requests.flatMap(({ body }) => lastToolResults(body).map(resultText));
    return [
      ...[join(this.folder, 'PWN'), join(this.outside, 'PWN')].filter(existsSync),
      ...told.filter((result) => result.includes(KEY_WORDS) || result.includes(Buffer.from(KEY_WORDS).toString('hex'))),
    ];
  }
}

const calling = (calls: readonly Call[]): Reply => calls.reduce((answer, call) => answer.toolCall('bash', call), reply());

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

describe('run-01 repo-01 table-01 attacks that ran without a question once are stopped by the analysis alone, on a machine without a sandbox', () => {
  const PROTOCOL = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];

  function begin(calls: readonly Call[], ...more: readonly string[]): RunningProgram {
    program.server.setScript(answering(calling(calls)));
    const running = program.start([...PROTOCOL, ...more], { folder: scene.folder, sandbox: false });
    running.send({ type: 'user', message: { role: 'user', content: 'Look around' }, parent_tool_use_id: null, session_id: '' });
    return running;
  }

  async function end(running: RunningProgram): Promise<void> {
    await expect.poll(() => running.ofType('result')).toMatchObject([{ subtype: 'success' }]);
    running.process.stdin.end();
    await running.end;
  }

  it('each asks, a command that only reads too, and nothing runs before the answer', async () => {
    const calls = [...scene.attacks(true), { command: 'cat package.json' }];
    const running = begin(calls);
    for (const [index, { command }] of calls.entries()) {
      const { id, body } = await running.asked('can_use_tool', index);
      expect([body['input'], scene.harm(program.server)]).toEqual([expect.objectContaining({ command }), []]);
      if (command.startsWith('cat')) expect(JSON.stringify(body)).toContain('No sandbox is available.');
      running.respond(id, { behavior: 'deny', message: 'No.' });
    }
    await end(running);
    expect(program.results).toHaveLength(calls.length);
    expect(scene.harm(program.server)).toEqual([]);
  });

  it('in plan mode each is refused', async () => {
    const running = begin(scene.attacks(true), '--permission-mode', 'plan');
    await end(running);
    expect(running.ofType('control_request')).toEqual([]);
    expect(program.results).toHaveLength(3);
    for (const result of program.results) expect(result).toContain('Permission denied');
    expect(scene.harm(program.server)).toEqual([]);
  });
});

describe.runIf(HAS_BUBBLEWRAP)('run-01 repo-01 table-01 the same attacks are stopped by the sandbox alone, where it lets run what it holds', () => {
  it('each runs, and does no harm; in plan mode each is refused', async () => {
    const chat = await nodeChat({ folder: scene.folder, settings: { 'gnomon.commands.runSandboxed': true } });
    chat.answers(calling(scene.attacks(false)));
    await chat.say('Look around');
    expect(chat.results).toHaveLength(3);
    for (const result of chat.results) expect(result).toMatch(/exit code \d+ after/);
    expect(scene.harm(chat.server)).toEqual([]);
    chat.conversation.setMode('plan');
    await chat.say('Plan only');
    for (const result of chat.results) expect(result).toContain('Permission denied');
    expect(scene.harm(chat.server)).toEqual([]);
  });
});
