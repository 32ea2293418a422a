import type { Choice, ModelProposal } from '../../../src/protocol/host/composer-messages.js';
import type { ModelExplanation } from '../../../src/protocol/host/transcript-messages.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import type { ViewAnswerFacts, ViewItem, ViewState } from '../../../src/protocol/view-state.js';
import { answerWith, state, user } from './scene-parts.js';

/** What can be chosen in place of a model. */
export const automatic: readonly Choice[] = [
  { id: 'auto', label: 'Auto', description: 'Chooses a model for each task by what it needs and costs, and says why' },
  { id: 'default', label: 'Default', description: 'The model of new chats, as the settings say' },
];

const usage = { inputTokens: 1_204, outputTokens: 380, cacheReadTokens: 9_800, cacheWriteTokens: 0 };

/** An answer by a model that was chosen automatically. */
function routed(id: string, routedAs: NonNullable<ViewAnswerFacts['routedAs']>): ViewItem {
  return answerWith([{ type: 'text', text: 'It sorts its numbers as text.' }], {
    id,
    facts: { model: 'anthropic/claude-sonnet-4-5', rounds: 2, usage, costUsd: 0.02, durationMs: 9_000, routedAs },
  });
}

/** How the models of some answers were chosen, by their items; one that is not here has to be answered by the test. */
export const explanations: Readonly<Record<string, ModelExplanation | undefined>> = {
  a1: {
    kind: 'debug',
    chosen: 'Claude Sonnet 4.5 was chosen: it is the cheapest of those that are good enough for Debug.',
    notes: ['Good enough is 77 % or more: 90 % of the best estimate.', 'To go back to Demo would write 9,800 tokens of the cache again, for about $0.04.'],
    candidates: [
      { name: 'Claude Sonnet 4.5', expected: '86 %', basis: 'Seen 14 times here, 12 times with success.', cost: '$0.02', isChosen: true },
      { name: 'Claude Opus 4.5', expected: '91 %', basis: 'As published, not seen here.', cost: '$0.11', isChosen: false },
      {
        name: 'GPT-5 (Gateway of the Company)',
        expected: '88 %',
        basis: 'As published, not seen here.',
        cost: 'Price not known',
        isChosen: false,
        removed: 'No API key is set for OpenAI.',
      },
      { name: 'Demo (scripted, offline)', expected: '12 %', basis: 'Assumed.', cost: '$0.00', isChosen: false, removed: '12 % is below the floor of 77 %.' },
    ],
    more: '23 more were removed.',
  },
  a3: undefined,
};

/** What the host answers to a message about how models are chosen. */
export function routingAnswer(message: PanelMessage): HostMessage | undefined {
  if (message.type !== 'explain_model' || !(message.item in explanations)) return undefined;
  const explanation = explanations[message.item];
  return { type: 'model_explained', item: message.item, ...(explanation === undefined ? {} : { explanation }) };
}

const ENOUGH = 'Of the models that are good enough, it succeeds most for what it costs.';

/** The models that are proposed for a message, one after the other. */
export const proposals: readonly ModelProposal[] = [
  { id: 'p1', model: 'Claude Haiku 4.5', kind: 'explain', reason: ENOUGH, cost: 'about $0.04', next: 'anthropic/claude-opus-4-5' },
  {
    id: 'p2',
    model: 'Claude Opus 4.5',
    kind: 'explain',
    reason: 'You have chosen it for this message. $0.09 of that is for 9,800 tokens that it has to read again, as they are in the cache of another model.',
    cost: 'about $0.31',
    next: 'anthropic/claude-haiku-4-5',
  },
];

/** What is proposed when a message is sent, as the host does; `undefined` where it is taken: nothing is proposed, or the user has seen that. */
export function proposalFor(message: Extract<PanelMessage, { type: 'send' }>, proposes: readonly ModelProposal[]): ModelProposal | undefined {
  const { id, kind, model } = message.proposal ?? {};
  const [first] = proposes;
  if (first === undefined || message.aside === true) return undefined;
  const at = proposes.findIndex((each) => each.id === id);
  if (kind !== undefined) return { ...first, kind };
  if (at < 0) return first;
  if (model === undefined) return proposes[at]?.model === undefined ? proposes[at] : undefined;
  return proposes[(at + 1) % proposes.length];
}

/** Scenes of how models are chosen. */
export const routingScenes: Readonly<Record<string, ViewState>> = {
  'auto begins': state([], { title: 'New Chat', usage: '', modelChoice: 'auto' }),
  routed: state([user('Why does it fail?'), routed('a1', 'debug'), user('Is it safe?', 'u2'), routed('a3', 'security_review')], {
    model: 'anthropic/claude-sonnet-4-5',
    modelChoice: 'auto',
  }),
};
