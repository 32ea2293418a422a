import { assertNever } from '../../../domain/assert-never.js';
import { AbortError, errorMessage } from '../../../domain/errors.js';
import type { HostMessage } from '../../../protocol/messages.js';
import type { ComposerRequest } from '../../../protocol/panel/composer-requests.js';
import type { ShownFilled } from '../../composer/pane-commands.js';
import type { PaneComposer, SendOutcome } from '../../composer/pane-composer.js';
import { coldCacheText } from '../../projection/summary.js';
import type { PaneActions } from '../pane-actions.js';
import type { Panel } from '../panel.js';
import type { Handlers } from './handlers.js';

type Request<Type extends ComposerRequest['type']> = Extract<ComposerRequest, { readonly type: Type }>;
type FormRequest = Request<'send' | 'cancel_send' | 'name_mentions' | 'open_template' | 'suggest_value' | 'submit_form' | 'cancel_form'>;

/** Handlers for sending messages, and for the forms before that. */
export function formHandlers(pane: PaneActions): Handlers<FormRequest> {
  const { composer } = pane;
  return {
    send: (message, panel) => send(pane, message, panel),
    cancel_send: ({ sendId }) => composer.cancelSend(sendId),
    name_mentions: ({ mentions }, panel) => panel.post({ type: 'mention_names', names: composer.namesOf(mentions) }),
    open_template: ({ server, uriTemplate }, panel) => openTemplate(composer, { server, uriTemplate }, panel),
    suggest_value: async ({ form, request, field, values }, panel) => {
      const found = await composer.commands.forms.suggestions(form, field, values);
      if (found !== undefined) panel.post({ type: 'form_suggestions', form, request, values: found });
    },
    submit_form: (message, panel) => submit(pane, message, panel),
    cancel_form: ({ form }) => composer.commands.forms.close(form),
  };
}

async function send(pane: PaneActions, message: Request<'send'>, panel: Panel): Promise<void> {
  const { sendId } = message;
  try {
    const outcome = await pane.composer.send(message, (text) => panel.post({ type: 'send_progress', sendId, text }));
    panel.post(answerTo(sendId, outcome));
    if (outcome.type === 'prompt') show(pane, outcome.filled, panel);
  } catch (error) {
    // Who canceled it knows why.
    panel.post({ type: 'rejected', sendId, reason: error instanceof AbortError ? '' : errorMessage(error) });
  }
}

function answerTo(sendId: string, outcome: SendOutcome): HostMessage {
  switch (outcome.type) {
    case 'cooled':
      return { type: 'cooled', sendId, text: coldCacheText(outcome.cold) };
    case 'proposed':
      return { type: 'model_proposed', sendId, proposal: outcome.proposal };
    case 'taken':
    case 'prompt':
      return { type: 'accepted', sendId };
    default:
      return assertNever(outcome);
  }
}

function openTemplate(composer: PaneComposer, { server, uriTemplate }: { readonly server: string; readonly uriTemplate: string }, panel: Panel): void {
  try {
    panel.post({ type: 'fill_form', form: composer.commands.forms.template(server, uriTemplate) });
  } catch (error) {
    panel.post({ type: 'attachment_problem', reason: errorMessage(error) });
  }
}

async function submit(pane: PaneActions, message: Request<'submit_form'>, panel: Panel): Promise<void> {
  const { form } = message;
  try {
    const filled = await pane.composer.submit(message, (text) => panel.post({ type: 'form_progress', form, text }));
    panel.post({ type: 'form_done', form, ...(filled?.type === 'mention' ? { insert: filled.text } : {}) });
    if (filled !== undefined) show(pane, filled, panel);
  } catch (error) {
    if (!(error instanceof AbortError)) panel.post({ type: 'form_problem', form, reason: errorMessage(error) });
  }
}

/** A mention goes to where the cursor was, with the end of its form. */
function show(pane: PaneActions, filled: ShownFilled, panel: Panel): void {
  if (filled.type === 'form') panel.post({ type: 'fill_form', form: filled.form });
  if (filled.type === 'text') panel.post({ type: 'compose', session: pane.current.id, text: filled.text });
}
