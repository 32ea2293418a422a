import { describe, expect, it } from 'vitest';
import { reply } from '../../support/model-server/index.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const model = (id: string): object => ({ provider: 'anthropic', id, contextWindow: 200_000 });
const SETTINGS = { 'gnomon.model': '', 'gnomon.models': ['claude-opus-9', 'claude-opus-8', 'claude-sonnet-9', 'claude-haiku-9'].map(model) };
const OPUS = 'claude-opus-9';
const SONNET = 'claude-sonnet-9';

/** A chat of one who has `opusplan` in the settings of Claude Code. */
async function chatWith(written = 'opusplan', settings: object = {}): Promise<NodeChat> {
  const chat = await nodeChat({ settings: { ...SETTINGS, ...settings }, inHome: { '.claude/settings.json': JSON.stringify({ model: written }) } });
  chat.server.setScript(() => reply().text('Done.'));
  return chat;
}

const asked = ({ server }: NodeChat): readonly string[] => server.requests.map(({ body }) => body.model);

describe('opusplan, as Claude Code has it', () => {
  it.each(['opusplan', 'OpusPlan'])('is the newest Opus in plan mode, and the newest Sonnet otherwise (%s)', async (written) => {
    const chat = await chatWith(written);
    await chat.say('Hello');
    chat.conversation.setMode('plan');
    expect(chat.shown).toMatchObject({ model: `anthropic/${OPUS}`, modelChoice: 'default' });
    await chat.say('Plan it');
    chat.conversation.setMode('ask');
    expect(chat.shown).toMatchObject({ model: `anthropic/${SONNET}`, modelChoice: 'default' });
    await chat.say('Do it');
    expect(asked(chat)).toEqual([SONNET, OPUS, SONNET]);
    // What each answer shows is what was asked.
    const shown = chat.shown.items.flatMap((item) => (item.kind === 'answer' ? [item.facts?.model] : []));
    expect(shown).toEqual([SONNET, OPUS, SONNET].map((id) => `anthropic/${id}`));
  });

  it('does not keep the model of the plan in the turn that carries it out', async () => {
    const chat = await chatWith();
    await chat.begin('plan');
    chat.inTurn(reply().toolCall('list', { path: '.' }), reply().text('Done.'));
    const stop = chat.conversation.session.onEvent((event) => {
      if (event.type === 'tool_call' && event.state.status === 'done') chat.conversation.setMode('ask');
    });
    await chat.say('Plan it, then do it');
    stop();
    expect(asked(chat)).toEqual([OPUS, SONNET]);
  });

  it('is no model of a chat for which the user has chosen one', async () => {
    const chat = await chatWith();
    await chat.begin('plan');
    await chat.select('anthropic/claude-haiku-9');
    await chat.say('Plan it');
    expect(asked(chat)).toEqual(['claude-haiku-9']);
  });

  it('is not used where the user has set another model for Gnomon, or there is no Opus', async () => {
    const own = await chatWith('opusplan', { 'gnomon.model': 'anthropic/claude-haiku-9' });
    await own.begin('plan');
    await own.say('Plan it');
    expect(asked(own)).toEqual(['claude-haiku-9']);
    const without = await chatWith('opusplan', { 'gnomon.models': [model(SONNET)], 'gnomon.allowedModels': [`anthropic/${SONNET}`] });
    await without.begin('plan');
    await without.say('Plan it');
    expect(asked(without)).toEqual([SONNET]);
  });
});
