import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainRouting } from '../../../src/chat/projection/model-explanation.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { runs } from '../../support/runs.js';
import { givesAway, says, scripts } from '../../support/gives-away.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const SMALL = 'anthropic/small';
const LARGE = 'anthropic/large';
const model = (id: string, price: number): object => ({
  ...{ provider: 'anthropic', id, label: id, contextWindow: 200_000 },
  price: { input: price, output: 5 * price, cacheRead: price / 10, cacheWrite: 1.25 * price },
});
const SETTINGS = { 'gnomon.models': [model('small', 1), model('large', 20)], 'gnomon.routing.models': [SMALL, LARGE], 'gnomon.maxRetries': 0 };
/** Files in which the lists can be: what the user has, and what the workspace has. */
const PLACES = { user: '.gnomon/settings.json', project: '.gnomon/settings.json', local: '.claude/settings.local.json' } as const;

async function chatWith(lists: Partial<Record<keyof typeof PLACES | 'vscode', readonly unknown[]>>, settings: object, trusted = true): Promise<NodeChat> {
  const file = (place: keyof typeof PLACES): Readonly<Record<string, string>> =>
    lists[place] === undefined ? {} : { [PLACES[place]]: JSON.stringify({ allowedModels: lists[place] }) };
  const ofVsCode = lists.vscode === undefined ? {} : { 'gnomon.allowedModels': lists.vscode };
  const files = { inHome: file('user'), inFolder: { ...file('project'), ...file('local') } };
  const chat = await nodeChat({ settings: { ...SETTINGS, ...ofVsCode, ...settings }, ...files, trusted });
  chat.server.setScript(says('Done.'));
  return chat;
}

const asked = ({ server }: NodeChat): readonly string[] => server.requests.map(({ body }) => body.model);

describe('R-03: a model that is not allowed', () => {
  it.each([
    ['the settings of VS Code', { vscode: [SMALL] }, 'user settings'],
    ['a file of the user', { user: [SMALL] }, '~/.gnomon/settings.json'],
    ['a file of the workspace', { project: [SMALL] }, '.gnomon/settings.json'],
    ['a file of another program in the workspace', { local: [SMALL] }, '.claude/settings.local.json'],
    ['a provider that it is not of', { vscode: ['openai'] }, 'user settings'],
    ['nothing that is a model', { vscode: [7] }, 'user settings'],
  ])('is not asked, though the user has pinned it: by %s', async (_what, lists, place) => {
    const chat = await chatWith(lists, { 'gnomon.model': SMALL }, false);
    await chat.select(LARGE);
    expect((await chat.say('Hello')).end).toBe('error');
    expect(asked(chat)).toEqual([]);
    expect(chat.notices).toEqual([`large is not one of the models that ${place} allows (“allowedModels”). Choose another model.`]);
    const notice = chat.shown.items.find((item) => item.kind === 'notice');
    expect(notice).toMatchObject({ level: 'warning', actions: ['select_model', 'retry'] });
  });

  it('is not chosen by Auto, which says who does not allow it', async () => {
    const chat = await chatWith({ project: [SMALL] }, { 'gnomon.model': 'auto' });
    await chat.say('Fix the crash: TypeError: cannot read properties of undefined');
    expect(asked(chat)).toEqual(['small']);
    const answer = chat.shown.items.findLast((item) => item.kind === 'answer');
    const routing = readRouting(chat.conversation.routingOf(answer?.id ?? ''));
    const explained = routing && explainRouting(routing, (key) => key);
    expect(explained?.candidates).toMatchObject([
      { name: 'small', isChosen: true },
      { name: 'large', removed: 'This workspace does not allow it.' },
    ]);
  });

  it('is in no list, and is not what new chats have', async () => {
    const chat = await chatWith({ vscode: [SMALL] }, { 'gnomon.model': '' });
    const { models } = chat.host.host;
    await models.refresh();
    expect(models.entries().flatMap((entry) => entry.models.map(({ id }) => id))).toContain('small');
    expect(models.entries().flatMap((entry) => entry.models.map(({ id }) => id))).not.toContain('large');
    expect((await models.choose(undefined)).model.id).toBe('small');
  });

  it.each(['auto', ''])('is said where none is allowed, and the demo is not taken in its place (model: “%s”)', async (wanted) => {
    for (const names of [['Anthropic/Small'], ['anthropic/*'], ['small']]) {
      const chat = await chatWith({ project: names }, { 'gnomon.model': wanted }, false);
      expect((await chat.say('Hello')).end).toBe('error');
      expect(asked(chat)).toEqual([]);
      expect(chat.shown.model).toMatch(/^anthropic\//);
      expect(chat.notices.join()).toContain('“allowedModels”');
      await chat.close();
    }
  });

  it.each([
    ['a name and no list', '"anthropic/small"'],
    ['an object', '{ "anthropic/small": true }'],
    ['two lists', '["anthropic/small"], "allowedModels": []'],
    ['two lists with nothing in common', '["anthropic/small"], "allowedModels": ["openai"]'],
  ])('stays so where the setting of a file is %s', async (_what, written) => {
    const chat = await nodeChat({ settings: { ...SETTINGS, 'gnomon.model': LARGE }, inHome: { '.gnomon/settings.json': `{ "allowedModels": ${written} }` } });
    chat.server.setScript(says('Done.'));
    expect((await chat.say('Hello')).end).toBe('error');
    expect(asked(chat)).toEqual([]);
    expect(chat.host.host.fileSettings.problems).toHaveLength(1);
  });

  it('stays so where the setting of VS Code is a name and no list', async () => {
    const chat = await nodeChat({ settings: { ...SETTINGS, 'gnomon.model': LARGE, 'gnomon.allowedModels': SMALL } });
    expect((await chat.say('Hello')).end).toBe('error');
    expect(asked(chat)).toEqual([]);
  });

  it('is no model of new chats that a repository names', async () => {
    const inFolder = { '.claude/settings.json': JSON.stringify({ model: LARGE }) };
    const chat = await nodeChat({ settings: { ...SETTINGS, 'gnomon.model': '', 'gnomon.allowedModels': [SMALL] }, inFolder });
    expect((await chat.host.host.models.choose(undefined)).model.id).toBe('small');
  });

  it('is no model of an agent, whatever asks for it', async () => {
    const chat = await chatWith({ vscode: [SMALL] }, { 'gnomon.model': SMALL });
    chat.server.setScript(scripts(givesAway({ description: 'Look', prompt: 'PART a', model: LARGE }), says('Found.')));
    await chat.say('Go');
    expect(chat.calls.map(({ status }) => status)).toEqual(['failed']);
    expect(new Set(asked(chat))).toEqual(new Set(['small']));
  });

  it('is never asked, whatever lists there are', { timeout: 120_000 }, async () => {
    const list = fc.option(fc.subarray(['anthropic', 'openai', SMALL, LARGE], { minLength: 1 }), { nil: undefined });
    const all = fc.record({ vscode: list, user: list, project: list, local: list });
    for (const lists of fc.sample(all, { numRuns: runs(100), seed: fc.readConfigureGlobal().seed ?? 1 })) {
      const given = Object.entries(lists).flatMap(([place, names]) => (names === undefined ? [] : [[place, names] as const]));
      const chat = await chatWith(Object.fromEntries(given), { 'gnomon.model': SMALL }, false);
      for (const key of [SMALL, LARGE]) {
        await chat.select(key);
        await chat.say('Hello');
      }
      const may = [SMALL, LARGE].filter((key) => given.every(([, names]) => names.includes(key) || names.includes('anthropic')));
      expect(asked(chat).map((id) => `anthropic/${id}`)).toEqual(may);
      await chat.close();
    }
  });
});
