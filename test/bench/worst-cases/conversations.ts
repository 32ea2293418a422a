import { textTokens } from '../../../src/text/text-tokens.js';
import { largeSession, messageTexts } from '../../support/worst-inputs.js';
import { rig, user } from '../../unit/engine/rig.js';
import type { WorstCase } from './worst-case.js';
import { decodeSession } from '../../support/decode-session.js';

/** Conversations, and what they take of a model's window. */
export const CONVERSATION_CASES: readonly WorstCase[] = [
  {
    name: 'decode_21mb_session_ms',
    goal: 1_000,
    prepare: () => {
      const bytes = largeSession();
      return { '18,000 messages': () => decodeSession(bytes) };
    },
  },
  {
    name: 'estimate_20mb_ms',
    goal: 200,
    prepare: () => {
      const text = 'word '.repeat(4_000_000);
      return { 'one text': () => textTokens(text) };
    },
  },
  {
    name: 'estimate_20k_messages_ms',
    goal: 200,
    prepare: () => {
      const messages = messageTexts().map((text) => user(text));
      return { 'a conversation that is opened': () => rig({ messages }).session.context };
    },
  },
];
