import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import type { Chat } from './chat.js';
import { type WithModel, answering, startWithModel, toolResults } from './with-model.js';
import { says } from '../support/wording.js';

const KEY_WORDS = 'PRIVATE KEY canary';
const HAS_BUBBLEWRAP = existsSync('/usr/bin/bwrap');

/** A call of the tool that runs commands. */
interface Call {
  readonly command: string;
  readonly cwd?: string;
}

/** Makes a folder that Git takes for a repository, whose settings run a program. */
async function makeStrangeRepository(workspace: string): Promise<void> {
  const evil = join(workspace, 'evil');
  for (const name of ['objects', 'refs']) await mkdir(join(evil, name), { recursive: true });
  await writeFile(join(evil, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(
    join(evil, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${join(workspace, 'PWN')};:"\n`,
  );
}

/** VS Code's own Git extension would run the program of such a repository when its first scan comes late: what runs here is to be what Gnomon ran. */
const NO_GIT_SCAN = { 'git.enabled': false };

describe.each([
  ['the analysis alone, on a machine without a sandbox', NO_GIT_SCAN, { own: { sandbox: false } }],
  ['the sandbox alone, where it lets run what it holds', { ...NO_GIT_SCAN, 'gnomon.commands.runSandboxed': true }, {}],
] as const)('run-01 repo-01 table-01 attacks that ran without a question once are stopped by %s', (_wall, settings, options) => {
  const inSandbox = !('own' in options);
  let all: WithModel;
  let chat: Chat;
  /** A folder beside the workspace with a key in it. */
  let outside: string;

  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'gnomon-outside-'));
    await mkdir(join(outside, '.ssh'));
    await writeFile(join(outside, '.ssh', 'id_rsa'), KEY_WORDS);
    all = await startWithModel(settings, options);
    chat = all.chat;
    execFileSync('git', ['init', '-q'], { cwd: all.app.workspace });
    await makeStrangeRepository(all.app.workspace);
  });
  beforeEach(() => chat.newSession());
  afterAll(async () => {
    await all.stop();
    await rm(outside, { recursive: true, force: true });
  });

  /** The attacks. Those that are to get past the analysis name nothing outside of the workspace: that would ask. */
  function attacks(): readonly Call[] {
    const key = join(outside, '.ssh', 'id_rsa');
    return [
      { command: `echo x | xargs --replace find echo . -maxdepth 0 -exec sh -c 'id > PWN${inSandbox ? '' : `; id > ${join(outside, 'PWN')}`}' \\;` },
      { command: 'git status', cwd: 'evil' },
      {
        command: inSandbox ? `node -p 'require("fs").readFileSync(Buffer.from("${Buffer.from(key).toString('base64')}", "base64"), "utf8")'` : `xxd -pc ${key}`,
      },
    ];
  }

  const harm = (): readonly string[] => [
    ...[join(all.app.workspace, 'PWN'), join(outside, 'PWN')].filter(existsSync),
    ...toolResults(all.server).filter((result) => result.includes(KEY_WORDS) || result.includes(Buffer.from(KEY_WORDS).toString('hex'))),
  ];

  async function attack(words: string): Promise<void> {
    all.server.setScript(answering(attacks().reduce((answer, call) => answer.toolCall('bash', call), reply())));
    await chat.send(words);
  }

  if (!inSandbox)
    it('the chat says once why so much is asked, and a command that only reads asks, too', async () => {
      all.server.setScript(answering(reply().toolCall('bash', { command: 'cat package.json' })));
      for (const words of ['Read it', 'Read it again']) {
        await chat.send(words);
        expect(await chat.waitForPrompt()).toContain('No sandbox is available.');
        await chat.answer('Deny');
        await chat.waitForIdle();
      }
      const notice = chat.log.getByText(says('readOnlyCommandsAskToo'));
      await notice.waitFor();
      expect(await notice.count()).toBe(1);
    });

  if (!inSandbox)
    it('each asks, and nothing runs before the answer', async () => {
      await attack('Look around');
      for (const { command } of attacks()) {
        expect(await chat.waitForPrompt()).toContain(command.slice(0, 10));
        expect(harm()).toEqual([]);
        await chat.answer('Deny');
      }
      await chat.waitForIdle();
      expect(harm()).toEqual([]);
    });

  if (inSandbox && HAS_BUBBLEWRAP)
    it('each runs, and does no harm', async () => {
      await attack('Look around');
      await chat.waitForText('That was all.');
      expect(await chat.prompt.count()).toBe(0);
      const results = toolResults(all.server);
      expect(results).toHaveLength(attacks().length);
      for (const result of results) expect(result).toMatch(/exit code \d+ after/);
      expect(harm()).toEqual([]);
      await all.app.workbench.screenshot('attacks-in-the-sandbox');
    });

  it('in plan mode each is refused', async () => {
    await chat.selectMode('Plan');
    await attack('Plan only');
    await chat.waitForText('That was all.');
    expect(await chat.prompt.count()).toBe(0);
    for (const result of toolResults(all.server)) expect(result).toContain('Permission denied');
    expect(harm()).toEqual([]);
  });
});
