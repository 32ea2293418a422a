import type { ComposerMessage, ImageMessage } from './host/composer-messages.js';
import type { ConfigurationMessage } from './host/configuration-messages.js';
import type { ServerMessage } from './host/server-messages.js';
import type { SessionMessage } from './host/session-messages.js';
import type { TranscriptMessage } from './host/transcript-messages.js';
import type { ViewMessage } from './host/view-messages.js';
import type { ComposerRequest } from './panel/composer-requests.js';
import type { ConfigurationRequest } from './panel/configuration-requests.js';
import type { PageRequest } from './panel/page-requests.js';
import type { ServerRequest } from './panel/server-requests.js';
import type { ReviewRequest, SessionRequest } from './panel/session-requests.js';
import type { TranscriptRequest } from './panel/transcript-requests.js';
import type { TurnRequest } from './panel/turn-requests.js';

/** From the extension host to a panel. */
export type HostMessage = ViewMessage | ComposerMessage | SessionMessage | TranscriptMessage | ImageMessage | ServerMessage | ConfigurationMessage;

/** From a panel to the extension host. Everything in it is checked again on arrival. */
export type PanelMessage =
  | PageRequest
  | ComposerRequest
  | SessionRequest
  | TranscriptRequest
  | ReviewRequest
  | TurnRequest
  | ServerRequest
  | ConfigurationRequest;
