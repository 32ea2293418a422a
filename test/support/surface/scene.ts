import type { Page } from 'playwright-core';
import type { Stage } from './stage.js';

/** A state of the panel of which screenshots are taken. */
export interface Scene {
  /** Begins with its number; names the screenshot. */
  readonly name: string;
  /** What it shows, for the contact sheet. */
  readonly title: string;
  /** Brings a conversation there. */
  readonly set: () => Promise<Stage>;
  /** What the person then does in the panel. */
  readonly does?: (page: Page, stage: Stage) => Promise<void>;
}
