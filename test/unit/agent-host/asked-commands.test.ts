import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reply } from '../../support/model-server/index.js';
import { says } from '../../support/wording.js';
import { type NodeChat, nodeChat, wordsOf } from './node-chat.js';

/** What a person does not see in a command. */
const INVISIBLE = ['\u202E', '\u200B', '\u{E0041}', '\u00A0'];
/** Commands that make a file in ways that a look at the first word does not see, by row of the safety table. */
const HIDDEN: readonly (readonly [row: string, command: string])[] = [
  ['cmd-01', 'ls; touch PWN'],
  ['cmd-05', 'echo "$(touch PWN)"'],
  ['cmd-11', 'cat <<EOF\n$(touch PWN)\nEOF'],
  ['cmd-12', 'find . -maxdepth 0 -exec touch PWN \\;'],
  ['cmd-17', `awk 'BEGIN{system("touch PWN")}'`],
  ['cmd-26', 'ls > PWN'],
];
const DENIED = ['curl http://127.0.0.1:1/', "cu''rl http://127.0.0.1:1/", 'env curl http://127.0.0.1:1/', 'ls; timeout 5 curl http://127.0.0.1:1/'];
const HARMLESS = ['ls -la', 'echo "a; b && c"', 'grep -n "\\$(x)" README.md', "cat <<'EOF'\n$(touch PWN)\nEOF", 'cat README.md | sort | uniq'];

const RULES = { allow: ['ls', 'cat', 'echo', 'find', 'awk'].map((head) => `Bash(${head}:*)`), deny: ['Bash(curl:*)'] };

const open = (): Promise<NodeChat> =>
  nodeChat({ inHome: { '.claude/settings.json': JSON.stringify({ permissions: RULES }) }, inFolder: { 'README.md': 'Read me.\n' } });

/** Asks for something, for which the model makes some commands. */
function ask(chat: NodeChat, ...commands: readonly string[]): void {
  chat.answers(commands.reduce((answer, command) => answer.toolCall('bash', { command }), reply()));
  chat.send('Do as you like');
}

describe('commands', () => {
  it('cmd-01 to cmd-36: are asked for what allowed words hide, each one alone and whole, and nothing runs before the answer', async () => {
    const chat = await open();
    const unseen = `echo hi ${INVISIBLE.join('x')}; touch PWN`;
    ask(chat, ...HIDDEN.map(([, command]) => command), unseen);
    for (const [row, command] of HIDDEN) {
      const prompt = await chat.prompt();
      expect(prompt.preview, row).toMatchObject({ kind: 'command', command });
      expect([row, chat.prompts.length, chat.isThere('PWN')]).toEqual([row, 1, false]);
      await chat.deny();
    }
    const prompt = await chat.prompt();
    expect(prompt.preview).toMatchObject({ command: unseen });
    expect(wordsOf(prompt.approval.reasons)).toMatch(/invisible/);
    expect(prompt.approval.proposal).toBeUndefined();
    await chat.deny();
    await chat.ended();
    expect([chat.isThere('PWN'), chat.results.length]).toEqual([false, HIDDEN.length + 1]);
  });

  it('cmd-24 cmd-46 are not asked for what only reads, which runs, nor for a denied command behind wrappers, which does not', async () => {
    const chat = await open();
    ask(chat, ...HARMLESS, ...DENIED);
    await chat.ended();
    expect(chat.results).toHaveLength(HARMLESS.length + DENIED.length);
    for (const result of chat.results.slice(0, HARMLESS.length)) expect(result).toMatch(/exit code [01] after/);
    for (const result of chat.results.slice(HARMLESS.length)) expect(result).toContain('Bash(curl:*)');
  });

  it('cmd-31 C-5 a rule of the chat covers what it says and no more; one that cannot be read is refused, and one that was removed asks again', async () => {
    const chat = await open();
    ask(chat, 'mkdir -p made/one', 'mkdir -p made/two', 'mkdirx made/three', 'mkdir made/four; touch made/PWN');
    const always = (rule: string): Promise<void> => chat.answer({ type: 'always', rules: [rule], scope: 'session' });
    for (const rule of ['/^(a+)+$/', 'Bash(mkdir:*)']) {
      await always(rule);
      // Other rules than those that were offered are offered first.
      expect((await chat.prompt()).approval).toMatchObject({ problem: says('rulesChanged'), proposal: [rule] });
      expect(chat.isThere('made')).toBe(false);
      await always(rule);
      if (rule.startsWith('/')) expect((await chat.prompt()).approval.problem).toContain(rule);
    }
    expect((await chat.prompt()).subject).toContain('mkdirx');
    await chat.deny();
    expect(wordsOf(await chat.prompt())).toContain('touch made/PWN');
    expect([chat.isThere('made/two'), chat.isThere('made/four')]).toEqual([true, false]);
    await chat.deny();
    await chat.ended();
    const { sessionRules } = chat.host.host.permissions;
    sessionRules.update(chat.conversation.id, { type: 'removeRules', effect: 'allow', rules: ['Bash(mkdir:*)'] });
    ask(chat, 'mkdir -p made/five');
    await chat.prompt();
    await chat.deny();
    await chat.ended();
    expect(chat.isThere('made/five')).toBe(false);
  });

  it('cmd-43 of several only the one that was allowed runs, as the person changed it, and the model is told', async () => {
    const chat = await open();
    ask(chat, 'touch one.txt', 'touch two.txt', 'touch three.txt');
    for (const name of ['one', 'two', 'three']) {
      expect(wordsOf(await chat.prompt())).toContain(`touch ${name}.txt`);
      expect([chat.prompts.length, chat.isThere(`${name}.txt`)]).toEqual([1, false]);
      if (name === 'two') {
        await chat.answer({ type: 'allow', amendment: { type: 'command', command: 'touch mine.txt' } });
        const again = await chat.prompt();
        expect([again.subject, again.approval.changed, chat.isThere('mine.txt')]).toEqual(['touch mine.txt', true, false]);
      }
      await (name === 'two' ? chat.allow() : chat.deny());
    }
    await chat.ended();
    expect(['one.txt', 'two.txt', 'mine.txt', 'three.txt'].map((name) => chat.isThere(name))).toEqual([false, false, true, false]);
    expect(chat.results.map((result) => result.includes('exit code 0'))).toEqual([false, true, false]);
    expect(chat.results[1]).toContain('What ran: touch mine.txt');
  });

  it('C-15 follow the mode: “Ask always” asks before a read, “Plan” refuses without asking', async () => {
    const chat = await open();
    chat.conversation.setMode('ask');
    chat.answers(reply().toolCall('read', { file_path: 'README.md' }));
    chat.send('Read');
    expect((await chat.prompt()).subject).toContain('README.md');
    await chat.allow();
    await chat.ended();
    expect(chat.results[0]).toContain('Read me.');
    chat.conversation.setMode('plan');
    chat.answers(reply().toolCall('write', { file_path: 'README.md', content: 'Mine\n' }).toolCall('bash', { command: 'touch planned' }));
    await chat.say('Plan');
    for (const result of chat.results) expect(result).toContain('Plan mode only reads');
    expect([chat.results.length, readFileSync(chat.at('README.md'), 'utf8'), chat.isThere('planned')]).toEqual([2, 'Read me.\n', false]);
    // The mode is that of the chat alone.
    await chat.begin();
    expect(chat.conversation.session.mode).toBe('default');
  });
});
