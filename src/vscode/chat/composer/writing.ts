import type { Mentions } from '../../mentions/create-mentions.js';
import type { PageScaler } from './page-scaler.js';
import type { Drafts } from './drafts.js';

/** Services that the text inputs of a window share. */
export interface Writing {
  readonly drafts: Drafts;
  readonly mentions: Mentions;
  readonly pictures: PageScaler;
}
