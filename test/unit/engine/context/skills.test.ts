import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CATALOG_TOKENS, planCatalog } from '../../../../src/config/skills/catalog.js';
import { chooseSkills } from '../../../../src/config/skills/choose.js';
import type { Skill } from '../../../../src/domain/config/skill.js';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { attachedNames, wordsOf } from '../../../../src/domain/session/attached.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { type SkillCatalog, skillText } from '../../../../src/domain/session/skills.js';
import { anthropicModelInfo } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { createSkillTool } from '../../../../src/tool/skill.js';
import { createTools } from '../../../../src/tool/index.js';
import { textTokens } from '../../../../src/text/text-tokens.js';
import { createMemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { type ModelServer, type Reply, reply, startModelServer } from '../../../support/model-server/index.js';
import { answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { type RigOptions, rig, testTool } from '../rig.js';
import { isSummaryRequest, SMALL_MODEL, tells, withSummaries } from './long-talk.js';

const BODY = 'Read references/style.md first, then write one line for each change.';
const NOTES = skillText({ name: 'notes', folder: '/ws/.agents/skills/notes', body: BODY, files: ['references/style.md'], hasMore: false });
const said = (words: string) => [{ type: 'text' as const, text: words }];

/** The skills of a test, which it changes. */
interface Disk {
  catalog: SkillCatalog;
  texts: Record<string, string>;
}

function disk(): Disk {
  return {
    catalog: { entries: [{ name: 'notes', description: 'Writes release notes. Use for change logs.' }, { name: 'tests' }], unlisted: 0 },
    texts: { notes: NOTES },
  };
}

function optionsFor(on: Disk): RigOptions {
  const workspace = createMemoryWorkspace({
    files: { '/ws/.agents/skills/notes/SKILL.md': 'x', '/ws/.agents/skills/notes/references/style.md': 'Use the past tense.' },
  });
  const skills = {
    find: () => Promise.resolve('/ws/.agents/skills/notes/SKILL.md'),
    load: (name: string) =>
      on.texts[name] === undefined ? Promise.reject(new ToolInputError(`There is no skill ${name}.`)) : Promise.resolve({ text: on.texts[name] }),
  };
  const tools = createTools(workspace).filter(({ spec }) => spec.name === 'read');
  return { tools, skills: { source: { catalog: () => Promise.resolve(on.catalog) }, texts: skills, tool: createSkillTool({ ...workspace, skills }) } };
}

/** The notes of skills with the messages of the user. */
function notes(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? [message.content.flatMap((block) => (block.type === 'text' && block.text.startsWith('<skills>') ? [block.text] : [])).join('')]
      : [],
  );
}

const loads = (id: string, skill = 'notes') => [...calls(0, id, { name: 'skill', args: { skill } }), ...stops('tool_use')];

describe('skills on the wire', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it('S-31: a server gets name and description first, the text once the skill is loaded, a file of it once that is read', async () => {
    const script: readonly Reply[] = [
      reply().text('Ready.'),
      reply().toolCall('skill', { skill: 'notes' }),
      reply().toolCall('read', { file_path: '/ws/.agents/skills/notes/references/style.md' }),
      reply().text('Done.'),
    ];
    server.setScript((_request, n) => script[n] ?? reply().text('Nothing more.'));
    const { session } = rig(optionsFor(disk()));
    session.setModel(createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url }), anthropicModelInfo('claude-opus-5-5'));
    await session.send(said('Hello')).turn;
    await session.send(said('Write the release notes')).turn;
    const sent = server.requests.map(({ raw }) => raw);
    expect(sent).toHaveLength(4);
    for (const raw of sent) expect(raw).toContain('- notes: Writes release notes. Use for change logs.');
    expect(sent.map((raw) => raw.includes(BODY))).toEqual([false, false, true, true]);
    expect(sent.map((raw) => raw.includes('Use the past tense.'))).toEqual([false, false, false, true]);
    // All that skills cost before one is loaded: the list, and the tool.
    const [note = ''] = notes(session.messages);
    expect(textTokens(note.split('\n').find((line) => line.startsWith('- notes')) ?? '')).toBeLessThanOrEqual(100);
    expect(notes(session.messages)[1]).toBe('');
  });
});

describe('skills that change during a chat', () => {
  it('S-31: come with the next message, and what was sent before stays the same, byte for byte', async () => {
    const on = disk();
    const { session, provider } = rig({ ...optionsFor(on), scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    await session.send(said('One')).turn;
    on.catalog = {
      entries: [
        { name: 'notes', description: 'Writes notes.' },
        { name: 'models', description: 'Makes models.' },
      ],
      unlisted: 2,
    };
    await session.send(said('Two')).turn;
    await session.send(said('Three')).turn;
    expect(notes(session.messages)[1]).toBe(
      '<skills>\nThe skills have changed. These are new, or take the place of those of the same name:\n- notes: Writes notes.\n- models: Makes models.\nThese skills are gone: tests\n2 more skills are not listed; the user can activate them.\n</skills>',
    );
    expect(notes(session.messages)[2]).toBe('');
    const [first, second, third] = provider.requests;
    for (const [before, after] of [
      [first, second],
      [second, third],
    ] as const) {
      expect([after?.systemPrompt, JSON.stringify(after?.tools)]).toEqual([before?.systemPrompt, JSON.stringify(before?.tools)]);
      expect(JSON.stringify(after?.messages.slice(0, before?.messages.length))).toBe(JSON.stringify(before?.messages));
    }
    expect(session.messages.filter(({ role }) => role === 'user').map(wordsOf)).toEqual(['One', 'Two', 'Three']);
  });

  it('S-32: of 300, all are told by name in one note within the budget, on the wire', async () => {
    const skills = Array.from({ length: 300 }, (_, index) => `skill-${index}`).map((name): Skill => ({
      name,
      description: `Does ${name}. Use it when the user asks for that in one of many ways.`,
      origin: { layer: 'user', file: `/h/${name}/SKILL.md`, display: name },
      folder: `/h/${name}`,
      allowedTools: [],
      modelInvocable: true,
      userInvocable: true,
      argumentNames: [],
      hooks: [],
      fields: [],
    }));
    const on = disk();
    on.catalog = planCatalog(chooseSkills(skills).skills, new Set(['user:skill-77']));
    const { session, provider } = rig({ ...optionsFor(on), scripts: [answers('One.'), answers('Two.')] });
    await session.send(said('One')).turn;
    await session.send(said('Two')).turn;
    const [note = '', second] = notes(session.messages);
    expect(note.split('\n').filter((line) => line.startsWith('- skill-'))).toHaveLength(300);
    expect(note).toContain('- skill-77: Does skill-77.');
    expect(textTokens(note)).toBeLessThanOrEqual(MAX_CATALOG_TOKENS + 100);
    expect([second, JSON.stringify(provider.requests[1]).split('- skill-299').length]).toEqual(['', 2]);
  });

  it('S-31: a stored chat gets only what has changed, and skills that are all gone are taken back', async () => {
    const on = disk();
    const first = rig({ ...optionsFor(on), scripts: [answers('One.')] });
    await first.session.send(said('One')).turn;
    const again = rig({ ...optionsFor(on), messages: first.session.messages, scripts: [answers('Two.'), answers('Three.')] });
    await again.session.send(said('Two')).turn;
    on.catalog = { entries: [], unlisted: 0 };
    await again.session.send(said('Three')).turn;
    expect(notes(again.session.messages).slice(1)).toEqual(['', '<skills>\nThese skills are gone: notes, tests\n</skills>']);
  });

  it('S-31: without skills, requests have nothing of them; the tool stays once there were any', async () => {
    const on = disk();
    const { catalog } = on;
    on.catalog = { entries: [], unlisted: 0 };
    const { session, provider } = rig({ ...optionsFor(on), scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    await session.send(said('One')).turn;
    on.catalog = catalog;
    await session.send(said('Two')).turn;
    on.catalog = { entries: [], unlisted: 0 };
    await session.send(said('Three')).turn;
    expect(provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['read'], ['read', 'skill'], ['read', 'skill']]);
    expect(JSON.stringify(provider.requests[0])).not.toContain('skill');
  });

  it('a message goes out when the skills cannot be found out', async () => {
    const { session, log } = rig({
      ...optionsFor(disk()),
      skills: {
        source: { catalog: () => Promise.reject(new Error('no disk')) },
        texts: { load: () => Promise.reject(new Error('no disk')) },
        tool: testTool('skill'),
      },
      scripts: [answers('One.')],
    });
    expect(await session.send(said('One')).turn).toMatchObject({ end: 'end_turn' });
    expect([notes(session.messages), log.lines]).toEqual([[''], ['Whether skills have changed could not be found out: no disk']]);
  });
});

describe('a skill that is loaded', () => {
  const results = (messages: readonly Message[]): readonly string[] =>
    messages.flatMap((message) => (message.role === 'tool_result' ? message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : []));

  it('S-33: is not given again, also to two calls at once, and again when its text has changed', async () => {
    const on = disk();
    const twice = [
      ...calls(0, 'a', { name: 'skill', args: { skill: 'notes' } }),
      ...calls(1, 'b', { name: 'skill', args: { name: '/notes', arguments: 'x' } }),
      ...stops('tool_use'),
    ];
    const { session } = rig({ ...optionsFor(on), scripts: [twice, loads('c'), answers('Done.'), loads('d'), answers('Done.')] });
    await session.send(said('One')).turn;
    const texts = results(session.messages).filter((text) => !text.startsWith('[Arguments'));
    expect(texts.filter((text) => text === NOTES)).toHaveLength(1);
    expect(texts.filter((text) => text.startsWith('The skill notes is loaded already'))).toHaveLength(2);
    on.texts['notes'] = NOTES.replace('one line', 'two lines');
    await session.send(said('Two')).turn;
    expect(results(session.messages).at(-1)).toContain('two lines');
  });

  it('S-33: stays behind a summary with the list of skills, is not given again after it, and requests go on to begin with the same', async () => {
    const on = disk();
    const filler = tells('word '.repeat(2_500));
    const { session, provider } = rig({
      ...optionsFor(on),
      model: SMALL_MODEL,
      scripts: withSummaries(
        [loads('a'), answers('Loaded.'), filler, answers('Short.'), loads('b'), answers('Done.'), answers('Last.')],
        [answers('This was said.')],
      ),
    });
    for (const words of ['One', 'Two', 'Three']) await session.send(said(words)).turn;
    await session.compact();
    expect(session.compactions).toHaveLength(1);
    await session.send(said('Four')).turn;
    const after = provider.requests.filter((request) => !isSummaryRequest(request)).slice(-2);
    for (const { messages } of after) {
      const text = JSON.stringify(messages);
      expect(text.split(BODY)).toHaveLength(2);
      expect(text).toContain('- notes: Writes release notes. Use for change logs.');
      expect(text).toContain('This was said.');
    }
    expect(JSON.stringify(after[1]?.messages.slice(0, after[0]?.messages.length))).toBe(JSON.stringify(after[0]?.messages));
    expect(results(session.messages).at(-1)).toContain('is loaded already');
    expect(notes(session.messages).slice(1).join('')).toBe('');
  });

  it('S-33: of the user, with a message, counts as loaded, stays behind a summary, and is shown as attached', async () => {
    const on = disk();
    const { session, provider } = rig({
      ...optionsFor(on),
      model: SMALL_MODEL,
      scripts: withSummaries([loads('a'), answers('Done.'), tells('word '.repeat(2_500)), answers('Short.'), answers('Last.')], [answers('This was said.')]),
    });
    await session.send([...said(NOTES), ...said('/notes of today')]).turn;
    const [message] = session.messages;
    expect(message === undefined ? [] : [attachedNames(message), wordsOf(message)]).toEqual([['notes'], '/notes of today']);
    expect(results(session.messages)[0]).toContain('is loaded already');
    await session.send(said('More')).turn;
    await session.send(said('More')).turn;
    await session.compact();
    await session.send(said('Go on')).turn;
    expect(JSON.stringify(provider.requests.at(-1)?.messages).split(BODY)).toHaveLength(2);
  });

  it('S-33: that is larger than the window allows is given up with the summary, and can be loaded again', async () => {
    const on = disk();
    on.texts['notes'] = NOTES.replace(BODY, `${BODY} ${'step '.repeat(3_000)}`);
    const { session } = rig({
      ...optionsFor(on),
      model: SMALL_MODEL,
      scripts: withSummaries([loads('a'), answers('Loaded.'), answers('Short.'), loads('b'), answers('Done.')], [answers('This was said.')]),
    });
    await session.send(said('One')).turn;
    await session.send(said('Two')).turn;
    await session.compact();
    await session.send(said('Three')).turn;
    expect(results(session.messages).at(-1)).toBe(on.texts['notes']);
  });

  it('is told apart from what only looks like one', async () => {
    const { session } = rig({ ...optionsFor(disk()), scripts: [loads('a'), answers('Done.')] });
    // What a user types is always their own words.
    await session.send(said(NOTES)).turn;
    expect(wordsOf(session.messages[0] ?? { content: [] })).toBe(NOTES);
    expect(results(session.messages)[0]).toBe(NOTES);
    const closing = skillText({ name: 'a', folder: '/x', body: 'One</skill>\nTwo', files: [], hasMore: false });
    expect(closing).toMatch(/^<skill-2 name="a">[^]*<\/skill-2>$/);
  });

  it('S-20: the skills of an agent go with its first message, once, and again when their texts are others', async () => {
    const on = disk();
    const { session, provider, log } = rig({ ...optionsFor(on), scripts: [answers('One.'), answers('Two.'), answers('Three.'), answers('Four.')] });
    await session.send(said('Before')).turn;
    session.setAgent({
      name: 'writer',
      description: '',
      allowedTools: ['*'],
      disallowedTools: [],
      skills: ['notes', 'gone'],
      hooks: [],
      userInvocable: true,
      fields: [],
      origin: { layer: 'user', file: '/a.md', display: 'a.md' },
    });
    await session.send(said('Write')).turn;
    await session.send(said('More')).turn;
    on.texts['notes'] = NOTES.replace(BODY, 'Be brief.');
    await session.send(said('Again')).turn;
    const texts = session.messages.flatMap((message) =>
      message.role === 'user' ? [message.content.filter((block) => block.type === 'text' && block.text.startsWith('<skill name')).length] : [],
    );
    expect(texts).toEqual([0, 1, 0, 1]);
    expect(session.messages.flatMap((message) => (message.role === 'user' ? [[wordsOf(message), ...attachedNames(message)].join(' ')] : []))).toEqual([
      'Before',
      'Write notes',
      'More',
      'Again notes',
    ]);
    expect(JSON.stringify(provider.requests[1])).toContain(BODY);
    expect(log.lines.filter((line) => line.includes('The skill gone of the agent could not be loaded'))).toHaveLength(3);
  });
});
