import type { CreateElicitationRequest, CreateElicitationResponse, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { isAbortError } from '../../domain/errors.js';
import type { Question, QuestionAnswer, Questions } from '../../domain/tool/interaction.js';
import { choiceAnswer, choiceRequest, formAnswer, formRequest } from './v1-questions.js';

/** Dependencies of {@link createEditorQuestions}. */
export interface EditorQuestionsDeps {
  readonly sessionId: string;
  /** Shows a form; absent where the editor has none. */
  readonly form?: (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;
  /** Shows options to choose one from. */
  readonly choose: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
}

/**
 * Asks the user of an editor what a model wants to know: by a form, else as options to choose from. A question that neither can put stays
 * unanswered.
 */
export function createEditorQuestions({ sessionId, form, choose }: EditorQuestionsDeps): Questions {
  const put = async (callId: string, question: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
    if (form !== undefined) return formAnswer(await form(formRequest({ sessionId, callId }, question), signal), question);
    if (question.choices.length === 0 || question.multiple) return { type: 'dismissed' };
    return choiceAnswer(await choose(choiceRequest({ sessionId, callId }, question), signal), question);
  };
  return {
    ask: async (callId, question, signal) => {
      try {
        return await put(callId, question, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (isAbortError(error)) throw error;
        return { type: 'dismissed' };
      }
    },
  };
}
