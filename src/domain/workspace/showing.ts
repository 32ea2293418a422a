import type { MayShow } from './search.js';
import type { Workspace } from './workspace.js';

/** Services that decide which files may be shown to a model without asking. */
export interface Showing {
  readonly workspace: Workspace;
  /** Makes that check, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  /** Whether the user trusts the workspace: else nothing is shown, and git, which runs what settings name, is not run. */
  readonly trusted: () => boolean;
}
