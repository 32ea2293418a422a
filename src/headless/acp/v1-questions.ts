import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { Question, QuestionAnswer } from '../../domain/tool/interaction.js';

/** The call whose question it is. */
interface QuestionPlace {
  readonly sessionId: string;
  readonly callId: string;
}

/** A question as a form: a choice where there are some, and a field for words of the user’s own. */
export function formRequest({ sessionId, callId }: QuestionPlace, { question, choices, multiple }: Question): CreateElicitationRequest {
  const named = choices.map((choice) => ({ const: choice, title: choice }));
  const chosen: ElicitationPropertySchema = multiple
    ? { type: 'array', title: 'Choices', items: { anyOf: named } }
    : { type: 'string', title: 'Choice', oneOf: named };
  const written: ElicitationPropertySchema = { type: 'string', title: choices.length === 0 ? 'Answer' : 'Another answer' };
  return {
    mode: 'form',
    sessionId,
    toolCallId: callId,
    message: showUnseen(question),
    requestedSchema: { type: 'object', properties: { ...(choices.length === 0 ? {} : { chosen }), written } },
  };
}

/** What was filled in. What was not among the choices is no choice. */
export function formAnswer(response: CreateElicitationResponse, { choices }: Question): QuestionAnswer {
  const content: unknown = response.action === 'accept' ? response.content : undefined;
  const fields: Readonly<Record<string, unknown>> = typeof content === 'object' && content !== null ? { ...content } : {};
  const picked = [fields['chosen']].flat();
  const chosen = choices.filter((choice) => picked.includes(choice));
  const words = typeof fields['written'] === 'string' ? fields['written'].trim() : '';
  if (chosen.length === 0 && words === '') return { type: 'dismissed' };
  return { type: 'answered', choices: chosen, ...(words === '' ? {} : { text: words }) };
}

/** A question with choices, for an editor that has no forms: as the options of a permission request, none of which is a permission. */
export function choiceRequest({ sessionId, callId }: QuestionPlace, { question, choices }: Question): RequestPermissionRequest {
  return {
    sessionId,
    toolCall: { toolCallId: callId, title: showUnseen(question), kind: 'think', status: 'in_progress' },
    options: [
      ...choices.map((choice, index) => ({ optionId: `choice_${index}`, kind: 'allow_once' as const, name: showUnseen(choice) })),
      { optionId: 'skip', kind: 'reject_once', name: 'Skip' },
    ],
  };
}

/** What was chosen. */
export function choiceAnswer({ outcome }: RequestPermissionResponse, { choices }: Question): QuestionAnswer {
  const chosen = choices.filter((_, index) => outcome.outcome === 'selected' && outcome.optionId === `choice_${index}`);
  return chosen.length === 0 ? { type: 'dismissed' } : { type: 'answered', choices: chosen };
}
