import type { PanelMessage } from '../../../protocol/messages.js';
import type { Panel } from '../panel.js';

/** A request of a page; acknowledgements are handled before. */
export type PanelRequest = Exclude<PanelMessage, { type: 'ack' }>;

/** Handlers of some requests. An error in a handler is reported in the conversation. */
export type Handlers<Request extends { readonly type: string }> = {
  readonly [Type in Request['type']]: (message: Extract<Request, { readonly type: Type }>, panel: Panel) => void | Promise<void>;
};
