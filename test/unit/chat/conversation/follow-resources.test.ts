import { expect, test } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import { ownSession } from '../../../../src/domain/session/identity.js';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { text, type UserContent } from '../../../../src/domain/model/content.js';
import type { Message, UserMessage } from '../../../../src/domain/model/message.js';
import type { SessionEvent } from '../../../../src/engine/events.js';
import { assistant } from '../../session/support/setup.js';
import { followResources } from '../../../../src/chat/conversation/follow-resources.js';

const userSays = (...content: readonly UserContent[]): UserMessage => ({ role: 'user', content, timestamp: '2026-01-01T00:00:00Z' });

test('what the user mentions in a chat is watched while it is open, also what they mentioned before, and nothing that is only attached', () => {
  const events = new Signal<SessionEvent>();
  const messages: Message[] = [
    userSays(attachedBlock({ name: 'x', text: '@tracker:never://1' }), text('See @tracker:issue://7 and @src/a.ts')),
    assistant('@tracker:never://2'),
  ];
  const done: string[] = [];
  const stop = followResources(
    { id: 'chat', session: { messages, onEvent: events.subscribe } },
    {
      resources: { addressOf: (mention) => ({ ...mention, uri: `${mention.uri}!` }) },
      watched: { watch: (chat, { server, uri }) => done.push(`${chat} ${server} ${uri}`), forget: (chat) => done.push(`- ${chat}`) },
    },
  );
  events.emit({ type: 'message_added', id: 'm', message: userSays(text('@tracker:issue://8')), index: 2, who: ownSession('chat') });
  stop();
  events.emit({ type: 'message_added', id: 'm', message: userSays(text('@tracker:issue://9')), index: 3, who: ownSession('chat') });
  expect(done).toEqual(['chat tracker issue://7!', 'chat tracker issue://8!', '- chat']);
});
