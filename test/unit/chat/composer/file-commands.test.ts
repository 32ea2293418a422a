import { describe, expect, it } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import { readCommandFile } from '../../../../src/config/commands/read-command.js';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import type { CommandFile } from '../../../../src/domain/config/skill.js';
import type { HostMessage } from '../../../../src/protocol/messages.js';
import type { CommandFiles } from '../../../../src/customization/commands.js';
import { Attachments } from '../../../../src/chat/composer/attachments.js';
import type { SlashActions } from '../../../../src/chat/composer/built-in.js';
import { parseSlash } from '../../../../src/slash/written-command.js';
import { PaneCommands, type PaneCommandsDeps } from '../../../../src/chat/composer/pane-commands.js';
import { NO_SKILLS } from '../../../support/no-skills.js';
import { FakeServers } from '../../../support/mcp/fake-servers.js';

const nothing = (): Promise<void> => Promise.resolve();
const actions: SlashActions = {
  compact: () => undefined,
  clear: nothing,
  models: () => [],
  setModel: nothing,
  modes: () => [],
  setMode: nothing,
  agents: () => Promise.resolve([]),
  setAgent: nothing,
  runCommand: () => undefined,
  tell: () => undefined,
};

function file(path: string, text: string, layer: ConfigLayer = 'project', dialect: CommandFile['dialect'] = 'claude'): CommandFile {
  const display = layer === 'user' ? `~/.claude/commands/${path}` : `.claude/commands/${path}`;
  const { command } = readCommandFile(text, {
    origin: { layer, file: `/ws/${display}`, display, ...(layer === 'user' ? {} : { folder: '/ws' }) },
    dialect,
    path,
  });
  if (command === undefined) throw new Error(`${path} cannot be read.`);
  return command;
}

/** Files of a window, as the test changes them. */
function setUp(commands: readonly CommandFile[], unusable: CommandFiles['unusable'] = []) {
  const changed = new Signal();
  const posts: HostMessage[] = [];
  const state = { commands, unusable, reads: 0 };
  const files: PaneCommandsDeps['files'] = {
    onDidChange: changed.subscribe,
    get commands() {
      return state.commands;
    },
    get unusable() {
      return state.unusable;
    },
    start: () => undefined,
    read: () => Promise.resolve(void (state.reads += 1)),
  };
  const servers = new FakeServers().set('github', { prompts: [{ name: 'review', arguments: [] }] }, {});
  const pane = new PaneCommands({
    actions,
    servers,
    files,
    skills: NO_SKILLS,
    imageScaler: { smaller: () => Promise.resolve(undefined) },
    post: (message) => void posts.push(message),
  });
  const draft = { attachments: new Attachments(), attachmentsChanged: () => undefined };
  const open = (text: string) => {
    const { name, argument } = parseSlash(text, (word) => pane.all.isKnown(word)) ?? { name: '', argument: '' };
    const command = pane.all.find(name);
    if (command.kind !== 'file') throw new Error(`${text} is no command of a file.`);
    return pane.forms.file({ chosen: command.chosen, argument, place: { sessionId: 's1', folders: ['/ws', '/other'] } });
  };
  const submit = (form: string, values: readonly string[] = []) => pane.submit(draft, { form, values }, () => undefined);
  return { changed, posts, state, pane, open, submit };
}

describe('commands of files', () => {
  it('S-43: are offered between built-in commands and prompts of servers, with hint and origin', () => {
    const { pane, posts } = setUp([
      file('git/commit.md', '---\nargument-hint: "[x]"\ndescription: Commits\u202E\n---\nx'),
      file('clear.md', 'x'),
      file('mine.md', 'y', 'user'),
    ]);
    pane.post(true);
    const [message] = posts;
    const offers = message?.type === 'commands' ? message.commands : [];
    expect(offers.filter(({ origin }) => origin !== undefined)).toEqual([
      { name: '/git:commit', hint: '[x]', description: 'Commits\\u{202e}', origin: 'project', file: '.claude/commands/git/commit.md' },
      { name: '/mine', hint: '', description: 'y', origin: 'user', file: '~/.claude/commands/mine.md' },
      { name: '/project:clear', hint: '', description: 'x', origin: 'project', file: '.claude/commands/clear.md' },
    ]);
    expect(offers.at(0)?.origin).toBeUndefined();
    expect(offers.at(-1)).toMatchObject({ name: '/github:review', prompt: true });
  });

  it('S-45: pages are told when files have changed, and only then', () => {
    const { pane, posts, changed, state } = setUp([file('a.md', 'x')]);
    pane.post(true);
    changed.emit();
    expect(posts).toHaveLength(1);
    state.commands = [];
    changed.emit();
    expect(posts).toHaveLength(2);
    pane.dispose();
    state.commands = [file('a.md', 'x')];
    changed.emit();
    expect(posts).toHaveLength(2);
  });

  it('S-43: files are read anew for a name that is not built in', async () => {
    const { pane, state } = setUp([file('a.md', 'x')]);
    await pane.all.refresh('clear');
    await pane.all.refresh('github:review');
    expect(state.reads).toBe(0);
    await pane.all.refresh('a');
    expect(state.reads).toBe(1);
    expect(pane.all.find('PROJECT:a'.toLowerCase())).toMatchObject({ name: '/a' });
    expect(() => pane.all.find('project:ab')).toThrow('Unknown command /project:ab.');
  });

  it('those that cannot be used say why, and those of an untrusted workspace too', () => {
    const { pane } = setUp(
      [],
      [
        { name: 'broken', display: '.claude/commands/broken.md', why: 'This is not valid YAML.' },
        { name: 'theirs', display: '.claude/commands/theirs.md' },
      ],
    );
    expect(() => pane.all.find('broken')).toThrow('/broken cannot be used. .claude/commands/broken.md: This is not valid YAML.');
    expect(() => pane.all.find('theirs')).toThrow(
      '/theirs is a command of this workspace (.claude/commands/theirs.md). It can be used once you trust the workspace.',
    );
  });

  it('unusual names count only where there is such a command', () => {
    const { pane } = setUp([file('2fa.md', 'x'), file('v1.2.md', 'y')]);
    const known = (word: string): boolean => pane.all.isKnown(word);
    expect(['/2fa', '/v1.2 a', '/v1.3', '/1'].map((text) => parseSlash(text, known)?.name)).toEqual(['2fa', 'v1.2', undefined, undefined]);
  });

  it('S-44: shows what is sent before anything runs, and sends exactly that', async () => {
    const { open, submit, state } = setUp([file('go.md', '---\ndescription: Goes\n---\nLook at $1: !`git log $1`, see @src/$1 and @docs/a.md.')]);
    const form = await open('/go a.ts');
    expect(form).toMatchObject({ makes: 'command', title: '/go', server: '.claude/commands/go.md', description: 'Goes', fields: [], typed: '/go a.ts' });
    expect(form.preview).toEqual({
      text: 'Look at a.ts: !`git log a.ts`, see @src/a.ts and @docs/a.md.',
      commands: ['git log a.ts'],
      files: ['src/a.ts', 'docs/a.md'],
      notes: [],
    });
    // A file that is changed meanwhile does not change what was seen.
    state.commands = [file('go.md', 'Something else: !`rm x`')];
    expect(await submit(form.id)).toEqual({
      typed: '/go a.ts',
      expanded: {
        script: [
          { type: 'text', text: 'Look at a.ts: ' },
          { type: 'command', command: 'git log a.ts' },
          { type: 'text', text: ', see @src/a.ts and @docs/a.md.' },
        ],
        mentioning: 'Look at  :  , see @src/a.ts and @docs/a.md.',
      },
      turn: {},
      blocks: [
        {
          type: 'text',
          text: '<attached name="/go a.ts">\nThe user ran the slash command /go (.claude/commands/go.md) with the arguments: a.ts.\nIts text follows.\n</attached>',
        },
      ],
    });
    await expect(submit(form.id)).rejects.toThrow();
  });

  it('S-41: commands of a file run in its folder', async () => {
    const command = file('go.md', '!`pwd`');
    const { open, submit } = setUp([{ ...command, origin: { ...command.origin, folder: '/other' } }]);
    expect(await submit((await open('/go')).id)).toMatchObject({ expanded: { script: [{ type: 'command', command: 'pwd', cwd: '/other' }] } });
  });

  it('S-40: asks for inputs first, also for those that are not typed', async () => {
    const { open, submit } = setUp([file('new.prompt.md', 'Make ${input:name} in ${input:kind:class or function}.', 'project', 'vscode')]);
    const form = await open('/new Foo');
    expect(form).toMatchObject({
      fields: [
        { name: 'name', required: true, value: 'Foo' },
        { name: 'kind', description: 'class or function', required: true, value: '' },
      ],
    });
    expect(form.preview).toBeUndefined();
    const next = await submit(form.id, ['Foo', 'class']);
    expect(next).toMatchObject({ type: 'form', form: { preview: { text: 'Make Foo in class.' } } });
    expect((await open('/new Foo class')).preview?.text).toBe('Make Foo in class.');
  });
});
