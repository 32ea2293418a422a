import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { restoreBefore } from '../../../../src/edits/restore.js';
import { breakableGit } from '../../../support/breakable-git.js';
import { SideBySide } from './side-by-side.js';

/** Apart from each other, so that each change is one of its own. */
const TEXT = 'one\n-\n-\ntwo\n-\n-\nthree\n-\n-\n';
const put =
  (anchor: string, line: string) =>
  (text: string): string =>
    text.replace(`${anchor}\n`, `${anchor}\n${line}\n`);
const sed = (anchor: string, line: string, name = 'f'): string => `sed -i '/^${anchor}$/a ${line}' ${name}`;

describe('agents of one chat side by side', () => {
  it('E-32: what one command changed while no other ran is that agent’s, and what either may have changed is the chat’s', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT } });
    const first = await rig.commandOf('a');
    await first.run(sed('one', 'a alone'));
    const second = await rig.commandOf('b');
    await first.run(sed('two', 'a or b'));
    await first.end();
    await second.run(sed('three', 'b alone'));
    await second.end();
    expect(await rig.authors('f')).toEqual([
      ['a alone', 'a'],
      ['a or b', undefined],
      ['b alone', 'b'],
    ]);
    expect(await rig.ledger.undo(rig.path('f'), { author: 'b' })).toEqual([]);
    expect(rig.read('f')).toBe(put('two', 'a or b')(put('one', 'a alone')(TEXT)));
    await rig.ledger.undo(rig.path('f'));
    expect(rig.read('f')).toBe(TEXT);
  });

  it('E-32: what an agent writes while the command of another one runs is its own, and the command’s is that one’s', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT } });
    const command = await rig.commandOf('b');
    await command.run(sed('one', 'of b'));
    await rig.writeAs('a', rig.planned('f', put('two', 'of a')));
    await command.run(sed('three', 'more of b'));
    await command.end();
    expect(await rig.authors('f')).toEqual([
      ['of b', 'b'],
      ['of a', 'a'],
      ['more of b', 'b'],
    ]);
  });
});

describe('sessions side by side', () => {
  it('a tool of another session writes while a command runs: each has its own changes of the file', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT } });
    const command = await rig.command('runs');
    await command.run(sed('one', 'command before'));
    const tool = await rig.tool('writes', rig.planned('f', put('two', 'tool')));
    expect(await tool.apply()).toBe(true);
    await tool.end(false);
    expect((await rig.claimed())['f']).toEqual({ sessions: ['runs', 'writes'], lines: ['command before', 'tool'] });
    await command.run(sed('three', 'command after'));
    await command.end();
    expect((await rig.claimed())['f']?.lines).toEqual(['command before', 'tool', 'command after']);
    // What the other session did since is not restored over without asking.
    rig.answer = 'keep';
    expect((await restoreBefore(rig.parts, 'writes', 0)).kept).toEqual([rig.path('f')]);
    expect((await restoreBefore(rig.parts, 'runs', 0)).kept).toEqual([rig.path('f')]);
    expect(rig.asked).toEqual([['f'], ['f']]);
    expect(await rig.ledger.undoAll()).toEqual([]);
    expect(rig.read('f')).toBe(TEXT);
  });

  it.each([true, false])('what only a tool wrote is not also that of a command which ran meanwhile (git: %s)', async (git) => {
    const rig = new SideBySide({ git, texts: { f: TEXT } });
    const command = await rig.command('runs');
    const [change, creation] = [
      await rig.tool('writes', rig.planned('f', put('two', 'tool'))),
      await rig.tool(
        'writes',
        rig.planned('new', () => 'tool\n'),
      ),
    ];
    expect([await change.apply(), await creation.apply()]).toEqual([true, true]);
    await change.end(false);
    await creation.end(false);
    await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['writes'], lines: ['tool'] }, new: { sessions: ['writes'], lines: ['tool'] } });
    expect((await rig.checkpoints.index('runs')).entries).toEqual([]);
  });

  it.each([true, false])('a command that writes before it is known what a tool did adds nothing to the changes of the tool (git: %s)', async (git) => {
    const rig = new SideBySide({ git, texts: { f: TEXT, g: TEXT } });
    const command = await rig.command('runs');
    const tool = await rig.tool('writes', rig.planned('f', put('two', 'tool')));
    const refused = await rig.tool('writes', rig.planned('g', put('two', 'refused')));
    expect(await tool.apply()).toBe(true);
    await command.run(`${sed('three', 'command')}; ${sed('three', 'command', 'g')}`);
    expect(await refused.apply()).toBe(false);
    await tool.end(false);
    await refused.end(true);
    expect(await rig.claimed()).toEqual({ f: { sessions: ['writes'], lines: ['tool'] } });
    await command.end();
    const lines = git ? ['command'] : [];
    expect(await rig.claimed()).toEqual({
      f: { sessions: git ? ['writes', 'runs'] : ['writes'], lines: ['tool', ...lines] },
      ...(git ? { g: { sessions: ['runs'], lines } } : {}),
    });
    expect((await restoreBefore(rig.parts, 'writes', 0)).kept).toEqual([rig.path('f')]);
  });

  it('what changed while commands of two sessions ran is of neither, and what one of them did alone is its own', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT, g: TEXT } });
    const first = await rig.command('a');
    await first.run(sed('one', 'a alone'));
    const second = await rig.command('b');
    await first.run(sed('two', 'either', 'g'));
    await second.run(sed('two', 'either'));
    await first.end();
    await second.run(sed('three', 'b alone'));
    await second.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a', 'b'], lines: ['a alone', 'b alone'] } });
    expect(rig.log.lines.join('\n')).toMatch(/attributed to none of them: (f, g|g, f)/);
    // A restore knows nothing of it either.
    await restoreBefore(rig.parts, 'b', 0);
    expect(rig.asked).toEqual([]);
    expect(rig.read('f')).toBe(put('two', 'either')(put('one', 'a alone')(TEXT)));
    await rig.ledger.undoAll();
    expect([rig.read('f'), rig.read('g')]).toEqual([put('two', 'either')(TEXT), put('two', 'either')(TEXT)]);
  });

  it('commands of the same session are one session’s work', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT } });
    const commands = [await rig.command('a'), await rig.command('a')];
    for (const [index, command] of commands.entries()) await command.run(sed('two', `line ${index}`));
    for (const command of commands) await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a'], lines: ['line 1', 'line 0'] } });
  });

  it('commands in folders of their own have what is in these, also where both are in one repository', async () => {
    const rig = new SideBySide({ git: true, texts: { 'x/f': TEXT, 'y/f': TEXT, top: TEXT } });
    const [first, second] = [await rig.command('a', 0, { folders: [rig.path('x')] }), await rig.command('b', 0, { folders: [rig.path('y')] })];
    await first.run(sed('one', 'a', 'x/f'));
    await second.run(`${sed('one', 'b', 'y/f')}; ${sed('one', 'either', 'top')}`);
    await first.end();
    await second.end();
    expect(await rig.claimed()).toEqual({ 'x/f': { sessions: ['a'], lines: ['a'] }, 'y/f': { sessions: ['b'], lines: ['b'] } });
  });

  it('a command in another repository is in nobody’s way', async () => {
    const rig = new SideBySide({ git: true, texts: { '.gitignore': 'other\n', f: TEXT } });
    mkdirSync(rig.path('other'));
    execFileSync('git', ['init', '-q'], { cwd: rig.path('other') });
    const elsewhere = await rig.command('b', 0, { folders: [new SideBySide({ git: true, texts: {} }).root] });
    const command = await rig.command('a');
    await command.run(sed('one', 'a'));
    await command.end();
    await elsewhere.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a'], lines: ['a'] } });
  });

  it('while a background command of another session runs, what changes is of neither', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT, g: TEXT } });
    let running = true;
    await (await rig.command('b', 0, { folders: [rig.root], runsInBackground: () => running })).end();
    const command = await rig.command('a');
    await command.run(sed('one', 'either'));
    await command.end();
    expect(await rig.claimed()).toEqual({});
    running = false;
    const later = await rig.command('a');
    await later.run(sed('one', 'a', 'g'));
    await later.end();
    expect(await rig.claimed()).toEqual({ g: { sessions: ['a'], lines: ['a'] } });
  });

  it('a command at whose beginning git failed is known to run: what it changes is not of another session', async () => {
    const git = breakableGit();
    const rig = new SideBySide({ git: true, texts: { f: TEXT, g: TEXT } });
    git.breakAt('--verify');
    const unwatched = await rig.command('a', 0, { folders: [rig.root], runsInBackground: () => false });
    expect(rig.log.lines).toEqual(['The files could not be looked at before a command']);
    git.mend();
    const watched = await rig.command('b');
    await unwatched.run(sed('one', 'a'));
    await watched.run(sed('one', 'b', 'g'));
    await watched.end();
    await unwatched.end();
    expect(await rig.claimed()).toEqual({});
  });

  it('what the user does in an editor while a command runs is theirs, and so is what they undo', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT, g: TEXT, h: TEXT } });
    const before = await rig.tool('a', rig.planned('h', put('one', 'tool')));
    await before.apply();
    await before.end(false);
    const command = await rig.command('a');
    rig.typed('g', put('one', 'user'));
    await command.run(sed('one', 'a'));
    expect(await rig.ledger.undo(rig.path('h'))).toEqual([]);
    await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a'], lines: ['a'] } });
    expect((await rig.checkpoints.index('a')).entries.map(({ path }) => path)).toEqual([rig.path('h'), rig.path('f')]);
  });

  it('two sessions write one file at the same time: the one that was refused has changed nothing', async () => {
    const rig = new SideBySide({ git: false, texts: { f: TEXT } });
    const [planned, stale] = [rig.planned('f', put('one', 'first')), rig.planned('f', put('two', 'second'))];
    const first = await rig.tool('a', planned);
    const order: string[] = [];
    const beginning = rig.tool('b', stale).finally(() => order.push('b begins'));
    expect(await first.apply()).toBe(true);
    // Another one, of another file, takes as long as it takes to begin.
    await (
      await rig.tool(
        'c',
        rig.planned('other', () => 'c\n'),
      )
    ).end(true);
    order.push('a ends');
    await first.end(false);
    const second = await beginning;
    expect(order).toEqual(['a ends', 'b begins']);
    expect(await second.apply()).toBe(false);
    await second.end(true);
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a'], lines: ['first'] } });
    expect((await rig.checkpoints.index('b')).entries).toEqual([]);
  });

  it('a call that was stopped before it ran takes nothing from the one that it waited for, while a command of another session runs', async () => {
    const rig = new SideBySide({ git: false, texts: { f: TEXT } });
    const command = await rig.command('runs');
    const [planned, stale] = [rig.planned('f', put('one', 'first')), rig.planned('f', put('two', 'second'))];
    const first = await rig.tool('a', planned);
    const beginning = rig.tool('b', stale);
    expect(await first.apply()).toBe(true);
    await first.end(false);
    await (await beginning).end(true);
    const third = await rig.tool('c', rig.planned('f', put('three', 'third')));
    expect(await third.apply()).toBe(true);
    await third.end(false);
    await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['a', 'c'], lines: ['first', 'third'] } });
  });

  it('a command that begins or ends while a tool is writing makes nothing of the tool’s that of another command', async () => {
    const rig = new SideBySide({ git: true, texts: { f: TEXT } });
    const command = await rig.command('runs');
    const tool = await rig.tool('writes', rig.planned('f', put('two', 'tool')));
    expect(await tool.apply()).toBe(true);
    const other = await rig.command('other');
    expect(await rig.claimed()).toEqual({});
    await command.run(sed('three', 'either'));
    await other.end();
    await tool.end(false);
    await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['writes'], lines: ['tool'] } });
    expect((await rig.checkpoints.index('runs')).entries).toEqual([]);
  });

  it('a text that its file cannot have is refused, and nothing of that is in the way of what follows', async () => {
    const rig = new SideBySide({ git: false, texts: { f: TEXT } });
    const refused = await rig.tool(
      'a',
      rig.planned('f', () => '\uD800'),
    );
    expect(await refused.apply()).toBe(false);
    await refused.end(true);
    const next = await rig.tool('b', rig.planned('f', put('one', 'b')));
    expect(await next.apply()).toBe(true);
    await next.end(false);
    expect(await rig.claimed()).toEqual({ f: { sessions: ['b'], lines: ['b'] } });
  });

  it('an ignored file that a tool wrote is not taken for a new one of a command', async () => {
    const rig = new SideBySide({ git: true, texts: { '.gitignore': 'f\n' } });
    rig.write('f', TEXT);
    const command = await rig.command('runs');
    const tool = await rig.tool('writes', rig.planned('f', put('two', 'tool')));
    await tool.apply();
    await tool.end(false);
    await command.end();
    expect(await rig.claimed()).toEqual({ f: { sessions: ['writes'], lines: ['tool'] } });
  });
});
