import { expect, it } from 'vitest';
import { callPlace } from '../../../../src/chat/conversation/call-place.js';
import { ownSession } from '../../../../src/domain/session/identity.js';
import { idAmongAll } from '../../../../src/domain/tool/asks.js';
import { systemClock } from '../../../../src/node/system-clock.js';
import { timeId } from '../../../../src/session/session-id.js';

const SERVERS_IDS = ['call_0', 'functions/read:0', '/', 'a/b/c', '12/3', 'line\nbreak/x', ''];

it.each(SERVERS_IDS)('a call that a server gives the id %j is found again, be it of the chat or of an agent', (callId) => {
  const session = timeId(systemClock);
  const worksFor = { session: 'chat', callId: 'c', agent: 'explore', task: 'Look' };
  expect(callPlace(idAmongAll({ who: ownSession('chat'), callId }))).toEqual({ callId });
  expect(callPlace(idAmongAll({ who: { session, worksFor, depth: 1 }, callId }))).toEqual({ session, callId });
});
