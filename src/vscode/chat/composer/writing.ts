import type { Mentions } from '../../mentions/create-mentions.js';
import type { PageScaler } from './page-scaler.js';
import type { Drafts } from './drafts.js';

/** What the places where people write share in a window. */
export interface Writing {
  readonly drafts: Drafts;
  readonly mentions: Mentions;
  readonly pictures: PageScaler;
}
