import { expect, it } from 'vitest';
import type { SessionShape } from '../../../src/agent-host/session-factory.js';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { reply } from '../../support/model-server/index.js';
import { nodeChat } from './node-chat.js';

it('a session with tools of its own, such as an inline edit, has each of them once, and no agents', async () => {
  const chat = await nodeChat();
  chat.server.setScript(() => reply().text('Done.'));
  let own: Tool | undefined;
  const shape: SessionShape = {
    // Whatever there is.
    tools: (all) => {
      own ??= all.find(({ spec }) => spec.name === 'read');
      return own === undefined ? [] : [own];
    },
    gate: (gate) => gate,
  };
  const session = await chat.host.start({ shape });
  await session.send([{ type: 'text', text: 'Go' }]).turn;
  expect(chat.server.requests.at(-1)?.body.tools?.map(({ name }) => name)).toEqual(['read']);
  await session.close();
});
