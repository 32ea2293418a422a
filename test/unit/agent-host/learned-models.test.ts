import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainRouting } from '../../../src/chat/projection/model-explanation.js';
import type { Routing } from '../../../src/domain/model/routing.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { eventually } from '../../support/eventually.js';
import { httpError, type Reply, reply } from '../../support/model-server/index.js';
import { runs } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';
import { LARGE, SMALL, twoModels } from './two-models.js';

/** The small one is expected to succeed in about half of all tasks, the large one in 0.81 of them. */
const MODELS = { 'gnomon.model': 'auto', ...twoModels(Object.fromEntries(TASK_KINDS.map((kind) => [kind, 0.5]))) };
const DEBUG = 'Fix the crash: TypeError: cannot read properties of undefined';

async function autoChat(settings: object = {}, inFolder: Readonly<Record<string, string>> = {}): Promise<NodeChat> {
  const chat = await nodeChat({ settings: { ...MODELS, ...settings }, inFolder });
  await chat.begin('acceptEdits');
  return chat;
}

/** Has the model make a file in a new chat, for an error that is to be fixed. */
async function make(chat: NodeChat, name: string): Promise<string> {
  await chat.begin('acceptEdits');
  chat.answers(reply().toolCall('write', { file_path: name, content: 'one\ntwo\n' }));
  await chat.say(DEBUG);
  return chat.at(name);
}

function usedModel({ server }: NodeChat): string {
  return server.requests.at(-1)?.body.model ?? '';
}

function file({ host }: NodeChat): string {
  return join(host.storage, 'gnomon-estimates.json');
}

/** What the file has of a model in tasks of finding errors, and what of it came last. */
function learned(chat: NodeChat, model = SMALL): unknown {
  if (!existsSync(file(chat))) return undefined;
  const { models, recent } = JSON.parse(readFileSync(file(chat), 'utf8')) as { models: Record<string, { debug?: object }>; recent: { because: unknown }[] };
  return [models[model]?.debug, recent.at(-1)?.because];
}

function basis({ conversation, shown }: NodeChat): readonly string[] {
  const answer = shown.items.findLast((item) => item.kind === 'answer');
  return explainRouting(readRouting(conversation.routingOf(answer?.id ?? '')) as Routing, (key) => key).candidates.map((each) => `${each.name}: ${each.basis}`);
}

describe('a chat that learns how well models do', () => {
  it('chooses another model after the user has undone what one did, and says what it counts', async () => {
    const chat = await autoChat();
    for (const name of ['a.ts', 'b.ts']) {
      const path = await make(chat, name);
      expect(usedModel(chat)).toBe('small');
      expect(await chat.host.ledger.undo(path)).toEqual([]);
    }
    await eventually(() => expect(learned(chat)).toEqual([{ solved: 0, seen: 1.97, last: expect.any(String) as string }, ['hunks']]));
    await make(chat, 'c.ts');
    expect(usedModel(chat)).toBe('large');
    expect(basis(chat)).toEqual(['Large: Assumed from its price', 'Small: Assumed from its price, and from what came of tasks here (counting as 2)']);
    // What the user kept counts for it.
    await chat.host.ledger.keep(chat.at('c.ts'));
    await eventually(() => expect(learned(chat, LARGE)).toEqual([{ solved: 1, seen: 1, last: expect.any(String) as string }, ['hunks']]));
    // The user changes what was learned, and it counts at once.
    writeFileSync(file(chat), readFileSync(file(chat), 'utf8').replace('"solved": 0,', '"solved": 1.9,'));
    await make(chat, 'd.ts');
    expect(usedModel(chat)).toBe('small');
    await chat.host.host.estimates.reset();
    await make(chat, 'e.ts');
    expect(basis(chat)).toEqual(['Small: Assumed from its price', 'Large: Assumed from its price']);
  });

  it('neither observes nor uses anything where the user does not want that', async () => {
    const chat = await autoChat({ 'gnomon.routing.learn': false });
    const known = { version: 1, models: { [SMALL]: { debug: { solved: 0, seen: 30 } } } };
    writeFileSync(file(chat), JSON.stringify(known));
    await chat.host.ledger.undo(await make(chat, 'a.ts'));
    expect(usedModel(chat)).toBe('small');
    await chat.close();
    expect(JSON.parse(readFileSync(file(chat), 'utf8'))).toEqual(known);
  });

  it('observes a turn once, when all that it changed is decided about', async () => {
    const chat = await autoChat();
    chat.inTurn(
      reply().toolCall('write', { file_path: 'a.ts', content: 'one\n' }).toolCall('write', { file_path: 'b.ts', content: 'two\n' }),
      reply().text('Done.'),
    );
    await chat.say(DEBUG);
    await chat.host.ledger.keep(chat.at('a.ts'));
    expect(learned(chat)).toBeUndefined();
    await chat.host.ledger.undo(chat.at('b.ts'));
    await eventually(() => expect(learned(chat)).toEqual([{ solved: 0.5, seen: 1, last: expect.any(String) as string }, ['hunks']]));
  });

  it('leaves out what it cannot tell apart: files that a later turn changed, too', async () => {
    const chat = await autoChat();
    const path = await make(chat, 'a.ts');
    chat.inTurn(reply().toolCall('edit', { file_path: 'a.ts', old_string: 'two', new_string: 'three' }), reply().text('Done.'));
    await chat.say(DEBUG);
    await chat.host.ledger.keep(path);
    await eventually(() => expect(learned(chat)).toEqual([{ solved: 1, seen: 1, last: expect.any(String) as string }, ['hunks']]));
    await chat.close();
    expect(learned(chat)).toMatchObject([{ seen: 1 }, ['hunks']]);
  });

  it('gives half of what it deserves to a model that removes what would have shown a mistake, and nothing for that', async () => {
    const name = 'test/sum.test.ts';
    const tests = "it('sums', () => {\n  expect(sum(1, 2)).toBe(3);\n  expect(sum(2, 2)).toBe(4);\n});\n";
    for (const [text, expected] of [
      [tests.replace('  expect(sum(2, 2)).toBe(4);\n', ''), [0.5, ['hunks', 'weakenedTests']]],
      [`${tests}it('is', () => expect(1).toBe(1));\n`, [1, ['hunks']]],
    ] as const) {
      const chat = await autoChat({}, { [name]: tests });
      chat.inTurn(
        reply().toolCall('read', { file_path: name }),
        reply().toolCall('write', { file_path: name, content: text }).toolCall('write', { file_path: 'sum.ts', content: 'x\n' }),
      );
      await chat.say(DEBUG);
      await chat.host.ledger.keepAll();
      await eventually(() => expect(learned(chat)).toMatchObject([{ solved: expected[0], seen: 1 }, expected[1]]));
      await chat.close();
    }
  });

  describe('with checks that the model runs itself, where the user does not decide', () => {
    const manifest = (test: string): string => JSON.stringify({ scripts: { test, lint: 'node check.cjs' } });
    const CHECK = "const fs = require('node:fs');\nprocess.exit(fs.existsSync('a.txt') && fs.readFileSync('a.txt', 'utf8') === 'wrong' ? 1 : 0);\n";
    const wrote = (content: string, path = 'a.txt'): Reply => reply().toolCall('write', { file_path: path, content });
    const ran = (command: string): Reply => reply().toolCall('bash', { command });

    it.each<{ readonly what: string; readonly replies: readonly Reply[]; readonly share?: number; readonly script?: string }>([
      { what: 'tests passed after the last change', replies: [wrote('right'), ran('npm test')], share: 1 },
      { what: 'tests were green and are red after it', replies: [ran('npm test'), wrote('wrong'), ran('npm test')], share: 0 },
      { what: 'tests were red before, and are still', replies: [wrote('wrong'), ran('npm test')] },
      { what: 'something changed after them', replies: [ran('npm test'), wrote('also right', 'b.txt')] },
      { what: 'only a linter passed', replies: [wrote('right'), ran('npm run lint')] },
      { what: 'a part of a command passed', replies: [wrote('right'), ran('npm test || true')] },
      { what: 'there was no test', replies: [wrote('right'), ran('npm test')], script: 'node --test' },
      {
        what: 'what they run was changed',
        replies: [reply().toolCall('read', { file_path: 'check.cjs' }), wrote('process.exit(0);', 'check.cjs'), ran('npm test')],
      },
    ])('$what', async ({ replies, share, script = 'node check.cjs' }) => {
      const chat = await autoChat({}, { 'package.json': manifest(script), 'check.cjs': CHECK });
      await chat.begin('bypassPermissions');
      chat.inTurn(...replies);
      await chat.say(DEBUG);
      const ended = chat.calls.filter(({ name }) => name !== 'bash').map(({ status }) => status);
      expect(new Set(ended)).toEqual(new Set(['done']));
      chat.inTurn();
      await chat.say('Thanks');
      if (share !== undefined) await eventually(() => expect(learned(chat)).toMatchObject([{ solved: share, seen: 1 }, ['checks']]));
      else expect(learned(chat)).toBeUndefined();
    });
  });

  it('does not count a check that passed after an earlier turn of the chat has changed what it runs', async () => {
    const chat = await autoChat({}, { 'package.json': JSON.stringify({ scripts: { test: 'node check.cjs' } }), 'check.cjs': 'process.exit(1);\n' });
    await chat.begin('bypassPermissions');
    const script = reply().toolCall('write', { file_path: 'check.cjs', content: 'process.exit(0);\n' });
    chat.inTurn(reply().toolCall('read', { file_path: 'check.cjs' }), script);
    await chat.say(DEBUG);
    chat.inTurn(reply().toolCall('write', { file_path: 'b.txt', content: 'wrong' }), reply().toolCall('bash', { command: 'npm test' }));
    await chat.say(DEBUG);
    await chat.say('Thanks');
    expect(learned(chat)).toBeUndefined();
  });

  it('counts another answer to the same message against the first one, and another message not', async () => {
    const chat = await autoChat();
    chat.answers(reply().text('Because of the index.'));
    await chat.say(DEBUG);
    const again = async (words: string): Promise<void> => {
      const session = await chat.host.start({ open: await chat.host.store.branch(chat.conversation.session.id, 0) });
      await session.send([{ type: 'text', text: words }]).turn;
      await session.close();
    };
    await again('Fix another crash: RangeError');
    expect(learned(chat)).toBeUndefined();
    await again(DEBUG);
    await eventually(() => expect(learned(chat)).toEqual([{ solved: 0, seen: 1, last: expect.any(String) as string }, ['regenerated']]));
    await again(DEBUG);
    await chat.close();
    expect(learned(chat)).toMatchObject([{ seen: 1 }, ['regenerated']]);
  });

  it('counts a turn before which the user brought the files back', async () => {
    const chat = await autoChat();
    const path = await make(chat, 'a.ts');
    await chat.host.ledger.restored([path], { sessionId: chat.conversation.session.id, messageIndex: 0 });
    await eventually(() => expect(learned(chat)).toMatchObject([{ solved: 0, seen: 1 }, ['restored']]));
  });

  it('does not observe models that the user has chosen, as it is not known for what', async () => {
    const chat = await autoChat({ 'gnomon.model': SMALL });
    await chat.host.ledger.undo(await make(chat, 'a.ts'));
    await chat.close();
    expect(existsSync(file(chat))).toBe(false);
  });

  it('asks before a model changes what was learned, in every mode', async () => {
    const chat = await autoChat();
    await chat.begin('bypassPermissions');
    chat.answers(reply().toolCall('write', { file_path: file(chat), content: '{}' }));
    chat.send(DEBUG);
    expect((await chat.prompt()).name).toBe('write');
    await chat.deny();
    await chat.ended();
    expect(existsSync(file(chat))).toBe(false);
  });

  it('R-05: a turn that the provider or the user ended is no observation, whatever becomes of what it had changed', { timeout: 120_000 }, async () => {
    const broken = fc.constantFrom<Reply>(
      httpError(529, 'overloaded_error', 'Overloaded'),
      httpError(500, 'api_error', 'Internal'),
      httpError(429, 'rate_limit_error', 'Too many'),
      httpError(400, 'invalid_request_error', 'No'),
      reply().text('I be').cut(),
    );
    const ends = fc.record({ failure: fc.option(broken, { nil: undefined }), undo: fc.boolean(), changes: fc.boolean() });
    for (const { failure, undo, changes } of fc.sample(ends, { numRuns: runs(40), seed: fc.readConfigureGlobal().seed ?? 1 })) {
      // In a host of its own, as models that did not answer are left out for a while.
      const chat = await autoChat({ 'gnomon.routing.fallback': false });
      const changed = changes ? [reply().toolCall('write', { file_path: 'a.ts', content: 'one\n' })] : [];
      chat.inTurn(...changed, failure ?? reply().text('Lo', 'ng.'));
      if (failure === undefined) stopAtAnswer(chat, changed.length);
      expect((await chat.say(DEBUG)).end).toBe(failure === undefined ? 'aborted' : 'error');
      expect(chat.isThere('a.ts')).toBe(changes);
      await (undo ? chat.host.ledger.undo(chat.at('a.ts')) : chat.host.ledger.keep(chat.at('a.ts')));
      await chat.close();
      expect(existsSync(file(chat))).toBe(false);
    }
  });
});

/** The user stops the turn while the model answers, after some other answers. */
function stopAtAnswer({ conversation: { session } }: NodeChat, after: number): void {
  let rounds = 0;
  session.onEvent((event) => {
    if (event.type === 'round_started') rounds += 1;
    else if (event.type === 'stream' && rounds > after) session.cancel();
  });
}
