import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ContentBlock, methods } from '@agentclientprotocol/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { type EditorHere, editorHere } from '../../../support/acp-here.js';
import { lastUserText, reply } from '../../../support/model-server/index.js';
import { someNth } from '../../../support/runs.js';
import { temporaryFolder, writeAt } from '../../../support/temporary-folder.js';

let here: EditorHere;

beforeEach(async () => {
  here = await editorHere();
  here.server.setScript(() => reply().text('Fine.'));
});

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const linkTo = (path: string, hash = ''): ContentBlock => ({ type: 'resource_link', name: path, uri: `${pathToFileURL(path).href}${hash}` });
const link = (name: string, hash = ''): ContentBlock => linkTo(join(here.folder, name), hash);
const file = (name: string, content = `The text of ${name}`): string => (writeAt(join(here.folder, name), `${content}\n`), name);

/** What the model gets of a message: its words, and its attachments by their names, with how often each is there. */
async function sent(...prompt: ContentBlock[]): Promise<{ readonly words: string; readonly names: readonly string[]; readonly all: string }> {
  const { editor, server, folder } = here;
  const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  const last = server.requests.at(-1);
  const all = last === undefined ? '' : lastUserText(last.body);
  const attachment = /<attached(?:-\d+)? name="([^"]*)">\n[^]*?\n<\/attached(?:-\d+)?>/g;
  const names = Array.from(all.matchAll(attachment), ([, name = '']) => name.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
  return { words: all.replace(/^[^]*<\/(?:attached(?:-\d+)?|environment)>/, '').trim(), names, all };
}

describe('a file that a message links to', () => {
  const TEXTS = ['Explain this file', ' and ', '(see ', ').', ', too', 's of it', ':12', '"', '@'];

  it('is attached once wherever the link stands, and is a word of its own', async () => {
    const [a, b] = [file('a.txt'), file('b.txt')];
    for (const [number, words] of TEXTS.entries()) {
      const orders = [
        [text(words), link(a)],
        [link(a), text(words)],
        [text(words), link(a), text(words), link(b), text(words)],
        [link(a), link(b), text(words)],
        [text(words), link(a), link(b)],
        [link(a), link(b), link(a)],
      ];
      // Each text in every third order, and each order with three of the texts; all of both in the soak.
      for (const prompt of someNth(orders, 3, number)) {
        const { names, words: said } = await sent(...prompt);
        const files = prompt.filter(({ type }) => type === 'resource_link').length === 1 ? [a] : [a, b];
        expect([words, ...names]).toEqual([words, ...files]);
        expect(said).toMatch(/(?:^|[\s("])@a\.txt(?=$|[\s,.)"])/);
      }
    }
  });

  it('leaves the words around it as they are where it can', async () => {
    const [a, b] = [file('a.txt'), file('my file.txt')];
    expect((await sent(text('Compare ('), link(a), text(') with '), link(b), text(', please'))).words).toBe('Compare (@a.txt) with @"my file.txt", please');
    expect((await sent(text('Explain this file'), link(a), link(b), text('now'))).words).toBe('Explain this file @a.txt @"my file.txt" now');
  });

  const NAMES = [
    'my file.txt',
    'a "quoted" name.txt',
    "it's.txt",
    '@scope.txt',
    'a @b.txt',
    '@problems',
    'changes',
    '[x](y).md',
    '(a) b.txt',
    'notes:12',
    'a, b; c!.txt',
    '#heading.md',
    '100%25.txt',
    '$HOME',
    '~',
    'two\nlines.txt',
    'Makefile',
    'schön.txt',
    'end.',
  ];

  it.each(NAMES.map((name, number) => [name, number] as const))('is attached by whatever name: %j', async (name, number) => {
    file(name, 'The only text');
    const other = file('other.txt', 'Something else');
    // Alone or among others in turn, and both in the soak.
    for (const prompt of someNth([[link(name)], [text('Explain'), link(name), link(other), text('x')]], 2, number)) {
      const { names, all } = await sent(...prompt);
      expect(names).toHaveLength(prompt.length === 1 ? 1 : 2);
      expect(names[0]).toBe(name.replace('\n', String.raw`\u{a}`));
      expect(all.match(/The only text/g)).toHaveLength(1);
    }
  });

  it.each([
    ['#L2', 'lines.txt:2', [2]],
    ['#L2-3', 'lines.txt:2-3', [2, 3]],
    ['#L2-L3', 'lines.txt:2-3', [2, 3]],
    ['#L2:3', 'lines.txt:2-3', [2, 3]],
    ['#L3C1-L2C4', 'lines.txt:2-3', [2, 3]],
    ['#section', 'lines.txt', [1, 2, 3, 4]],
  ])('has the lines that its address names: %s', async (hash, name, lines) => {
    file('lines.txt', [1, 2, 3, 4].map((line) => `Line ${line}`).join('\n'));
    const { names, all } = await sent(text('Look at'), link('lines.txt', hash), text('now'));
    expect(names).toEqual([name]);
    expect(Array.from(all.matchAll(/Line (\d)/g), ([, line]) => Number(line))).toEqual(lines);
  });

  it('is attached once where a text mentions it, too, and texts still mention others', async () => {
    const [a, b] = [file('a.txt'), file('Makefile')];
    expect((await sent(text('See @Makefile and @a.txt'), link(a), link(b))).names).toEqual([a, b]);
    expect((await sent(text('See @Makefile'), link(a))).names).toEqual([a, b]);
  });

  it('comes with a command, too', async () => {
    const a = file('my file.txt');
    writeAt(join(here.home, '.claude', 'commands', 'review.md'), 'Review $ARGUMENTS now\n');
    const { names, all } = await sent(text('/review '), link(a));
    expect(names.filter((name) => !name.startsWith('/review'))).toEqual([a]);
    expect(all).toContain('Review @"my file.txt" now');
  });

  it('is the one of its folder where several have such a name', async () => {
    const { editor, server, folder } = here;
    const second = temporaryFolder();
    for (const root of [folder, second]) writeFileSync(join(root, 'a.txt'), `The text in ${root}\n`);
    const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, additionalDirectories: [second], mcpServers: [] });
    await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: [text('x'), linkTo(join(second, 'a.txt'))] });
    const raw = server.requests.at(-1)?.raw ?? '';
    expect([raw.includes(`The text in ${second}`), raw.includes(`The text in ${folder}`)]).toEqual([true, false]);
  });

  it('is only named where it is outside of the folder, or can hold keys', async () => {
    const outside = join(temporaryFolder(), 'my secret.txt');
    writeFileSync(outside, 'hunter2\n');
    file('.env', 'hunter2');
    mkdirSync(join(here.folder, 'sub'));
    const { names, all } = await sent(text('See'), linkTo(outside), link('.env'), link('gone.txt'), link('sub'));
    expect(names).toEqual([`${outside} (only the path)`, '.env (only the path)', 'gone.txt (not found)', 'sub/']);
    expect(all).not.toContain('hunter2');
  });

  it('of another kind is named, and nothing of it is taken for a mention', async () => {
    const other: ContentBlock = { type: 'resource_link', name: '@scope/pkg', uri: 'https://example.com/x' };
    expect(await sent(text('See'), other)).toMatchObject({ names: [], words: 'See [@scope/pkg](https://example.com/x)' });
  });
});
