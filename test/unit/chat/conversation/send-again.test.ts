import { expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { itemsOf } from '../../../../src/chat/projection/transcript-items.js';
import { Conversation, OpenQuestions } from '../../../../src/chat/conversation/conversation.js';
import { type Script, answers } from '../../../support/scripted-provider/index.js';
import { type Rig, rig } from '../../engine/rig.js';

const say = (text: string): readonly [{ readonly type: 'text'; readonly text: string }] => [{ type: 'text', text }];
const refused: Script = [new ProviderError('refused_content', 'It goes against the rules.')];

interface Talk extends Rig {
  readonly conversation: Conversation;
}

function talk(...scripts: readonly Script[]): Talk {
  const all = rig({ scripts });
  return { ...all, conversation: new Conversation(all.session, {}, { questions: new OpenQuestions() }) };
}

/** The messages of the user, those that are not sent again in brackets: live, and as they are after a reload. */
function shown({ conversation, session }: Talk): readonly string[] {
  conversation.view.flush();
  const marked = (items: ReturnType<typeof itemsOf>): readonly string[] =>
    items.flatMap((item) => (item.kind === 'user' ? [item.heldBack === true ? `(${item.text})` : item.text] : []));
  const live = marked(conversation.view.state.items);
  expect(marked(itemsOf(session.messages, { heldBack: session.heldBack }))).toEqual(live);
  return live;
}

test('a refused message is marked, and Send Again sends the last one at once', async () => {
  const all = talk(refused, answers('Yes.'));
  await all.conversation.send(say('one')).turn;
  expect(shown(all)).toEqual(['(one)']);
  all.conversation.sendAgain('u0');
  await all.conversation.untilIdle();
  expect(shown(all)).toEqual(['one']);
  expect(JSON.stringify((all.provider.requests.at(-1) as Request).messages)).toContain('one');
});

test('an earlier one goes along with the next message; what is no held message does nothing', async () => {
  const all = talk(refused, answers('Two.'), answers('Three.'));
  await all.conversation.send(say('one')).turn;
  await all.conversation.send(say('two')).turn;
  for (const item of ['u1', 'a1', 'u99', '']) all.conversation.sendAgain(item);
  expect(shown(all)).toEqual(['(one)', 'two']);
  all.conversation.sendAgain('u0');
  expect(shown(all)).toEqual(['one', 'two']);
  expect(all.provider.requests).toHaveLength(2);
  await all.conversation.send(say('three')).turn;
  expect(JSON.stringify((all.provider.requests.at(-1) as Request).messages)).toContain('one');
});
