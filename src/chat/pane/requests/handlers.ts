import type { PanelMessage } from '../../../protocol/messages.js';
import type { Panel } from '../panel.js';

/** What a page can ask for; acknowledgements are dealt with before. */
export type PanelRequest = Exclude<PanelMessage, { type: 'ack' }>;

/** What is done at each of some requests. A handler that throws is reported in the conversation. */
export type Handlers<Request extends { readonly type: string }> = {
  readonly [Type in Request['type']]: (message: Extract<Request, { readonly type: Type }>, panel: Panel) => void | Promise<void>;
};
