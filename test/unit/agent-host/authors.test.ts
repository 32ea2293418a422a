import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import type { ChangesQuestion, MergeRequest } from '../../../src/domain/host/dialogs.js';
import type { ViewElf } from '../../../src/protocol/view-state.js';
import { elfViews } from '../../../src/chat/projection/elf-view.js';
import { calls, givesAway, part, results, says, scripts } from '../../support/gives-away.js';
import { inSoak } from '../../support/in-soak.js';
import { reply, type Reply } from '../../support/model-server/index.js';
import { someNth } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { gitIn } from '../worktree/rig.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');
const isolated = { ...part('a'), isolation: 'worktree' };

/** A user who applies what they are shown, and is offered to merge files. */
class Merging {
  /** What they are warned of, and what else they are told. */
  readonly said: string[] = [];
  readonly informed: string[] = [];
  readonly requests: MergeRequest[] = [];
  readonly asked: string[] = [];
  /** What happens before the user answers. */
  whileAsked: () => void = () => undefined;
  /** The button that is pressed where something was left. */
  answer: string | undefined = 'Resolve Conflict…';

  readonly dialogs = {
    confirmChanges: ({ text: question }: ChangesQuestion) => {
      this.asked.push(question);
      this.whileAsked();
      return Promise.resolve(true);
    },
    notify: (level: 'info' | 'warning', words: string, ...choices: readonly string[]) => {
      (level === 'info' ? this.informed : this.said).push([words, ...choices].join(' | '));
      return Promise.resolve(choices.find((choice) => choice === this.answer));
    },
    merge: (requests: readonly MergeRequest[]) => {
      this.requests.push(...requests);
      return Promise.resolve();
    },
  };
}

/** A chat in a repository, in which all edits and commands are allowed. */
async function chatIn(files: Readonly<Record<string, string>>, merging = new Merging()): Promise<NodeChat> {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  gitIn(folder, 'init', '-q');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'one');
  const chat = await nodeChat({ folder, git: true, dialogs: merging.dialogs });
  await chat.begin('bypassPermissions');
  return chat;
}

/** Makes calls one after the other, each in an answer of its own. */
function inTurn(...made: readonly (readonly [tool: string, args: object])[]): (request: Parameters<typeof results>[0]) => Reply {
  return (request) => {
    const next = made[request.body.messages.filter(({ role }) => role === 'assistant').length];
    return next === undefined ? reply().text('Done.') : reply().toolCall(...next);
  };
}

const edit = (name: string, ...changes: readonly (readonly [from: string, to: string])[]): readonly ['edit', object] => [
  'edit',
  { file_path: name, edits: changes.map(([from, to]) => ({ old_string: `${from}\n`, new_string: `${to}\n` })) },
];

const text = (chat: NodeChat, name: string): string => readFileSync(chat.at(name), 'utf8');
const hunksOf = (chat: NodeChat, name: string): readonly (string | undefined)[] =>
  chat.host.ledger.files().flatMap(({ path, hunks }) => (path === chat.at(name) ? hunks.map(({ by }) => by?.name) : []));

async function rowOf(chat: NodeChat): Promise<ViewElf | undefined> {
  return elfViews(await chat.host.host.elves.of(chat.conversation.session), () => ({ model: '', provider: '' }))[0];
}

describe('who made a change', () => {
  it('E-32: edits and commands of an agent are under its name, those of the chat in the same file are its own', async () => {
    const chat = await chatIn({ 'lines.txt': TEN, 'other.txt': 'other\n' });
    const work = inTurn(edit('lines.txt', ['line 2', 'second']), ['bash', { command: 'echo more >> other.txt; echo new > made.txt' }]);
    chat.server.setScript(scripts(givesAway(part('a')), work));
    await chat.say('Go');
    chat.server.setScript((request) => (results(request).length > 0 ? reply().text('Done.') : reply().toolCall(...edit('lines.txt', ['line 8', 'eighth']))));
    await chat.say('And you');
    const name = 'general: Look at a';
    expect(hunksOf(chat, 'lines.txt')).toEqual([name, undefined]);
    expect([hunksOf(chat, 'other.txt'), hunksOf(chat, 'made.txt')]).toEqual([[name], [name]]);
    const [agent] = chat.host.ledger.files()[0]?.authors ?? [];
    await chat.host.ledger.undoAll(undefined, { author: agent?.id ?? '' });
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 8', 'eighth'));
    expect([text(chat, 'other.txt'), chat.isThere('made.txt')]).toEqual(['other\n', false]);
  });

  it.each([
    ['the user', (chat: NodeChat) => chat.host.host.applyChanges(chat.conversation.session, { elf: 'agent-1' })],
    [
      'the model',
      async (chat: NodeChat) => {
        chat.server.setScript(calls('agents', { action: 'apply', id: 'agent-1' }));
        await chat.say('Apply it');
      },
    ],
  ])('E-32, E-78: what %s applies of a worktree is under the name of the agent that made it', async (_, apply) => {
    const chat = await chatIn({ 'lines.txt': TEN });
    chat.server.setScript(scripts(givesAway(isolated), inTurn(edit('lines.txt', ['line 2', 'second']))));
    await chat.say('Go');
    await apply(chat);
    expect(hunksOf(chat, 'lines.txt')).toEqual(['general: Look at a']);
    expect(await rowOf(chat)).toMatchObject({ applied: true });
  });

  it('E-78: what is applied of a worktree by its name is under that of its agent, or under its own where it is one of the user', async () => {
    const chat = await chatIn({ 'lines.txt': TEN });
    chat.server.setScript(scripts(givesAway(isolated), inTurn(edit('lines.txt', ['line 2', 'second']))));
    await chat.say('Go');
    const { session } = chat.conversation;
    const worktree = (await chat.host.host.elves.of(session)).facts[0]?.worktree ?? '';
    await chat.host.host.applyChanges(session, { worktree });
    expect(hunksOf(chat, 'lines.txt')).toEqual(['general: Look at a']);
    const own = await chat.host.host.worktrees.create('mine', 'snapshot', new AbortController().signal);
    writeFileSync(join(own.worktree.tree, 'own.txt'), 'own\n');
    await own.hold.release();
    await chat.host.host.applyChanges(session, { worktree: 'mine' });
    expect(hunksOf(chat, 'own.txt')).toEqual(['Worktree mine']);
  });
});

describe('a file that several agents have changed', () => {
  it('E-32: without an end of its last line, one is kept and the other undone, and no lines join', async () => {
    const chat = await chatIn({ 'list.txt': 'one\ntwo' });
    for (const [name, command] of [
      ['A', "printf '\\nA\\n' >> list.txt"],
      ['B', 'echo B >> list.txt'],
    ] as const) {
      chat.server.setScript(scripts(givesAway(part(name)), inTurn(['bash', { command }])));
      await chat.say(name);
    }
    expect(text(chat, 'list.txt')).toBe('one\ntwo\nA\nB\n');
    const [a, b] = chat.host.ledger.files()[0]?.authors ?? [];
    await chat.host.ledger.keep(chat.at('list.txt'), { author: b?.id ?? '' });
    await chat.host.ledger.undo(chat.at('list.txt'), { author: a?.id ?? '' });
    expect(text(chat, 'list.txt')).toBe('one\ntwo\nB\n');
  });

  it('E-32: what the chat edits after an agent was kept is in the list of changes, and can be undone', async () => {
    const chat = await chatIn({ 'lines.txt': TEN });
    const own = async (from: string, to: string): Promise<void> => {
      const answers = [reply().toolCall('bash', { command: `sed -i 's/^${from}$/${to}/' lines.txt` }), reply().text('Done.')];
      chat.server.setScript(() => answers.shift() ?? reply().text('Done.'));
      await chat.say(to);
    };
    await own('line 2', 'second');
    chat.server.setScript(scripts(givesAway(part('a')), inTurn(edit('lines.txt', ['line 5', 'fifth']))));
    await chat.say('Go');
    const agent = chat.host.ledger.files()[0]?.authors?.find(({ name }) => name !== '');
    await chat.host.ledger.keep(chat.at('lines.txt'), { author: agent?.id ?? '' });
    await own('line 8', 'eighth');
    expect(hunksOf(chat, 'lines.txt')).toEqual([undefined, undefined]);
    await chat.host.ledger.undoAll();
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 5', 'fifth'));
  });
});

describe('conflicts of a worktree', () => {
  /** An agent has changed lines 2 and 9 of a file, and another file; the user has changed line 9 meanwhile. */
  async function conflicting(merging: Merging): Promise<NodeChat> {
    const chat = await chatIn({ 'lines.txt': TEN, 'clean.txt': 'clean\n' }, merging);
    const work = inTurn(edit('lines.txt', ['line 2', 'second'], ['line 9', 'ninth']), edit('clean.txt', ['clean', 'cleaner']));
    chat.server.setScript(scripts(givesAway(isolated), work));
    await chat.say('Go');
    writeFileSync(chat.at('lines.txt'), TEN.replace('line 9', 'my own ninth'));
    return chat;
  }
  const apply = (chat: NodeChat): Promise<void> => chat.host.host.applyChanges(chat.conversation.session, { elf: 'agent-1' });

  it('E-78: a file of which both changed the same lines is merged by the user, the others are applied, and the index stays', async () => {
    const merging = new Merging();
    const chat = await conflicting(merging);
    gitIn(chat.folder, 'add', 'lines.txt');
    const index = readFileSync(join(chat.folder, '.git', 'index'));
    await apply(chat);
    expect(text(chat, 'clean.txt')).toBe('cleaner\n');
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 9', 'my own ninth'));
    expect(merging.said).toEqual(['1 file of general: Look at a is applied. You have changed the same lines: lines.txt. | Resolve Conflict…']);
    expect(await rowOf(chat)).toMatchObject({ changed: 2, conflicts: 1 });
    const [request] = merging.requests;
    const [mine, theirs] = [TEN.replace('line 9', 'my own ninth'), TEN.replace('line 2', 'second').replace('line 9', 'ninth')];
    expect(request).toMatchObject({ name: 'lines.txt', base: TEN, here: mine, there: theirs, author: 'general: Look at a' });
    expect(request?.marked).toMatch(/second\n[^]*<<<<<<< yours\nmy own ninth\n[^]*=======\nninth\n>>>>>>> worktree/);
    await request?.save(theirs);
    await request?.save(theirs.replace('ninth', 'both ninth'));
    expect(text(chat, 'lines.txt')).toBe(theirs.replace('ninth', 'both ninth'));
    expect(hunksOf(chat, 'lines.txt')).toEqual(['general: Look at a', 'general: Look at a']);
    expect((await rowOf(chat))?.conflicts).toBeUndefined();
    await chat.host.ledger.undo(chat.at('lines.txt'));
    expect(text(chat, 'lines.txt')).toBe(mine);
    expect(readFileSync(join(chat.folder, '.git', 'index')).equals(index)).toBe(true);
  });

  it('E-78: an old merge never overwrites newer text, and can be begun again', async () => {
    const merging = new Merging();
    const chat = await conflicting(merging);
    await apply(chat);
    writeFileSync(chat.at('lines.txt'), TEN.replace('line 9', 'newer'));
    await expect(merging.requests[0]?.save('old\n')).rejects.toThrow('lines.txt has changed since the merge began, so it was not overwritten.');
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 9', 'newer'));
    await apply(chat);
    expect(merging.requests[1]?.here).toBe(TEN.replace('line 9', 'newer'));
    await merging.requests[1]?.save('merged\n');
    expect(text(chat, 'lines.txt')).toBe('merged\n');
  });

  it('conflicts that the user leaves stay in the worktree, and the row says so', async () => {
    const merging = new Merging();
    merging.answer = undefined;
    const chat = await conflicting(merging);
    await apply(chat);
    expect(merging.requests).toEqual([]);
    expect(await rowOf(chat)).toMatchObject({ isolated: true, changed: 2, conflicts: 1 });
  });

  it('two new files at one path are merged; one that the user has deleted is only named', async () => {
    const merging = new Merging();
    const chat = await chatIn({ 'gone.txt': 'text\n', 'clean.txt': 'clean\n' }, merging);
    const work = inTurn(['write', { file_path: 'new.txt', content: 'theirs\n' }], edit('gone.txt', ['text', 'changed']));
    chat.server.setScript(scripts(givesAway(isolated), work));
    await chat.say('Go');
    writeFileSync(chat.at('new.txt'), 'mine\n');
    rmSync(chat.at('gone.txt'));
    await apply(chat);
    expect(merging.said).toEqual(['You have changed the same lines: gone.txt, new.txt. | Resolve Conflict…']);
    expect(merging.requests).toMatchObject([{ name: 'new.txt', base: '', here: 'mine\n', there: 'theirs\n' }]);
  });
});

/** What the agent does at a path that was a file or a folder, and what the user does there meanwhile. */
const PLACES: readonly (readonly [string, Readonly<Record<string, string>>, string, string | undefined])[] = [
  ['a folder that became a file', { 'place/one.txt': 'one\n', 'place/two.txt': 'two\n' }, 'rm -r place; echo file > place', undefined],
  ['a file that became a folder, where it was changed meanwhile', { place: 'file\n' }, 'rm place; mkdir place; echo one > place/one.txt', 'mine\n'],
  ['a file that moved into a folder of its name', { place: 'file\nwith lines\n' }, 'mv place x; mkdir place; mv x place/in.txt', undefined],
];

describe('a folder and a file at one path', () => {
  it.each(someNth(PLACES, 3))('%s is applied as a whole or not at all, with the reason', async (_, files, command, mine) => {
    const merging = new Merging();
    const chat = await chatIn({ ...files, 'clean.txt': 'clean\n' }, merging);
    chat.server.setScript(scripts(givesAway(isolated), inTurn(['bash', { command }], edit('clean.txt', ['clean', 'cleaner']))));
    await chat.say('Go');
    if (mine !== undefined) writeFileSync(chat.at('place'), mine);
    await chat.host.host.applyChanges(chat.conversation.session, { elf: 'agent-1' });
    expect(text(chat, 'clean.txt')).toBe('cleaner\n');
    for (const [name, content] of Object.entries(files)) expect(text(chat, name)).toBe(mine ?? content);
    expect(chat.host.ledger.files().map(({ path }) => path)).toEqual([chat.at('clean.txt')]);
    expect(merging.said.join()).toContain('A folder became a file, or a file a folder, and not all of that can be applied: place');
  });
});

describe('what an agent changes after its changes were applied', () => {
  const apply = (chat: NodeChat): Promise<void> => chat.host.host.applyChanges(chat.conversation.session, { elf: 'agent-1' });

  /** Has the agent make calls one after the other, the second time it is used as well. */
  async function works(chat: NodeChat, ...made: readonly (readonly [tool: string, args: object])[]): Promise<void> {
    const left = [...made];
    const goesOn = (await chat.host.host.elves.of(chat.conversation.session)).facts.length > 0;
    const agent = (): Reply => {
      const next = left.shift();
      return next === undefined ? reply().text('Done.') : reply().toolCall(...next);
    };
    chat.server.setScript(scripts(givesAway({ ...isolated, ...(goesOn ? { agent_id: 'agent-1' } : {}) }), agent));
    await chat.say('Go');
  }

  const created = ['write', { file_path: 'made.txt', content: 'made\n' }] as const;
  const moved = ['bash', { command: 'mv old.txt new.txt' }] as const;
  const files = { 'lines.txt': TEN, 'old.txt': `${TEN}of the old file\n` };

  it('is merged with that: lines changed twice are no conflict, and files that it made and deletes, or moves back, go with that', async () => {
    const merging = new Merging();
    const chat = await chatIn(files, merging);
    await works(chat, edit('lines.txt', ['line 2', 'second'], ['line 9', 'ninth']), created, moved);
    await apply(chat);
    expect([text(chat, 'made.txt'), chat.isThere('old.txt'), chat.isThere('new.txt')]).toEqual(['made\n', false, true]);
    expect(await rowOf(chat)).toMatchObject({ changed: 3, applied: true });
    writeFileSync(chat.at('lines.txt'), text(chat, 'lines.txt').replace('line 5', 'my fifth'));
    await works(chat, ['read', { file_path: 'lines.txt' }], edit('lines.txt', ['ninth', '9th']), ['bash', { command: 'rm made.txt; mv new.txt old.txt' }]);
    expect((await rowOf(chat))?.applied).toBe(false);
    await apply(chat);
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 2', 'second').replace('line 5', 'my fifth').replace('line 9', '9th'));
    expect([chat.isThere('made.txt'), text(chat, 'old.txt'), chat.isThere('new.txt')]).toEqual([false, files['old.txt'], false]);
    expect(merging.said).toEqual([]);
    await apply(chat);
    expect([merging.asked.length, merging.informed.at(-1)]).toEqual([2, 'Your files have all that general: Look at a has changed already.']);
  });

  it('a hunk that was undone stays so; a file that was undone as a whole comes as a whole', async () => {
    const chat = await chatIn(files);
    await works(chat, edit('lines.txt', ['line 2', 'second'], ['line 9', 'ninth']), edit('old.txt', ['line 3', 'third']), created, moved);
    await apply(chat);
    await chat.host.ledger.undo(chat.at('lines.txt'), ({ index }) => index === 0);
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 9', 'ninth'));
    for (const name of ['made.txt', 'new.txt']) await chat.host.ledger.undo(chat.at(name));
    expect([chat.isThere('made.txt'), text(chat, 'old.txt'), chat.isThere('new.txt')]).toEqual([false, files['old.txt'], false]);
    await works(chat, ['read', { file_path: 'lines.txt' }], edit('lines.txt', ['line 6', 'sixth']));
    await apply(chat);
    expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 6', 'sixth').replace('line 9', 'ninth'));
    expect([text(chat, 'made.txt'), text(chat, 'new.txt'), chat.isThere('old.txt')]).toEqual(['made\n', files['old.txt'].replace('line 3', 'third'), false]);
  });

  // The rule by which changes are applied again is seen by the cases before, and by those of elf-worktrees: these are other orders of it.
  inSoak('unit/agent-host/authors.test.ts', 'unit/agent-host/elf-worktrees.test.ts')(
    'applied twice, the second time is undone by itself, or both at once, and comes again',
    async () => {
      const chat = await chatIn(files);
      await works(chat, edit('lines.txt', ['line 2', 'second']), created, moved);
      await apply(chat);
      const once = { lines: text(chat, 'lines.txt'), made: text(chat, 'made.txt') };
      await works(chat, ['read', { file_path: 'lines.txt' }], edit('lines.txt', ['second', '2nd']), ['bash', { command: 'rm made.txt; mv new.txt newer.txt' }]);
      await apply(chat);
      const state = (): unknown => [text(chat, 'lines.txt'), ...['made.txt', 'new.txt', 'newer.txt'].map((name) => chat.isThere(name))];
      const twice = [TEN.replace('line 2', '2nd'), false, false, true];
      expect(state()).toEqual(twice);
      writeFileSync(chat.at('lines.txt'), once.lines);
      writeFileSync(chat.at('made.txt'), once.made);
      renameSync(chat.at('newer.txt'), chat.at('new.txt'));
      await apply(chat);
      expect(state()).toEqual(twice);
      writeFileSync(chat.at('lines.txt'), TEN);
      renameSync(chat.at('newer.txt'), chat.at('old.txt'));
      await apply(chat);
      expect([...(state() as unknown[]), chat.isThere('old.txt')]).toEqual([...twice, false]);
    },
  );

  inSoak('unit/agent-host/authors.test.ts', 'unit/agent-host/elf-worktrees.test.ts')(
    'what was undone comes again when the user wants that, also beside their own edits since',
    async () => {
      const merging = new Merging();
      const chat = await chatIn(files, merging);
      await works(chat, edit('lines.txt', ['line 2', 'second']));
      await apply(chat);
      writeFileSync(chat.at('lines.txt'), TEN.replace('line 9', 'my ninth'));
      chat.server.setScript(calls('agents', { action: 'apply', id: 'agent-1' }));
      await chat.say('Apply it');
      expect(chat.sent).toContain('There is nothing new to take over. What was undone here, the user can apply again.');
      await apply(chat);
      expect(merging.asked.at(-1)).toBe('Look at a: Apply what you have undone of this change again?');
      expect(text(chat, 'lines.txt')).toBe(TEN.replace('line 2', 'second').replace('line 9', 'my ninth'));
    },
  );

  it('a file that changes while the user is asked is said beside what was left, and the others are applied', async () => {
    const merging = new Merging();
    const chat = await chatIn({ ...files, 'both.txt': 'one\n' }, merging);
    await works(chat, edit('lines.txt', ['line 2', 'second']), edit('old.txt', ['line 3', 'third']), edit('both.txt', ['one', 'theirs']));
    writeFileSync(chat.at('both.txt'), 'mine\n');
    merging.whileAsked = () => writeFileSync(chat.at('old.txt'), files['old.txt'].replace('line 3', 'my third'));
    await apply(chat);
    expect(merging.said).toEqual([
      '1 file of general: Look at a is applied. old.txt has changed meanwhile. Apply the changes again to have them merged. You have changed the same lines: both.txt. | Resolve Conflict…',
    ]);
    expect([text(chat, 'lines.txt'), text(chat, 'old.txt')]).toEqual([TEN.replace('line 2', 'second'), files['old.txt'].replace('line 3', 'my third')]);
    chat.server.setScript(says('I see.'));
    await chat.say('And?');
    expect(chat.sent).toContain('have changed in their worktrees: agent-1 (not all of it)');
  });

  it('what the user has merged once is not to be merged again, also where all of it stayed as the user had it', async () => {
    const merging = new Merging();
    merging.answer = 'Resolve Conflicts…';
    const chat = await chatIn({ 'mine.txt': 'one\n', 'ours.txt': 'one\n' }, merging);
    await works(chat, edit('mine.txt', ['one', 'theirs']), edit('ours.txt', ['one', 'theirs']));
    for (const name of ['mine.txt', 'ours.txt']) writeFileSync(chat.at(name), 'mine\n');
    await apply(chat);
    await merging.requests.find(({ name }) => name === 'mine.txt')?.save('mine\n');
    expect(await rowOf(chat)).toMatchObject({ conflicts: 1 });
    await merging.requests.find(({ name }) => name === 'ours.txt')?.save('ours\n');
    expect(await rowOf(chat)).toMatchObject({ applied: true });
    await apply(chat);
    expect(merging.informed.at(-1)).toBe('All that general: Look at a has changed was applied already, and you have changed it since.');
    expect([text(chat, 'mine.txt'), text(chat, 'ours.txt')]).toEqual(['mine\n', 'ours\n']);
    expect(merging.requests).toHaveLength(2);
  });
});
