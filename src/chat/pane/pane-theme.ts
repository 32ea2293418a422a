import type { HostMessage } from '../../protocol/messages.js';
import type { ThemeColors } from '../ports.js';

/** The syntax colors of the user's theme, and the connection to the pages of one pane. */
export interface PaneThemeDeps {
  readonly codeTheme: ThemeColors;
  readonly post: (message: HostMessage) => void;
  readonly report: (error: unknown) => void;
}

/** Tells the pages of a place the colors that the user's theme gives to code. */
export class PaneTheme {
  /** Ends following the theme. */
  readonly stop: () => void;
  private latest: Promise<unknown> | undefined;

  constructor(private readonly deps: PaneThemeDeps) {
    this.stop = deps.codeTheme.onDidChange(() => this.postColors());
  }

  /** Tells them. */
  postColors(): void {
    const { codeTheme, post, report } = this.deps;
    const reading = codeTheme.current();
    this.latest = reading;
    reading.then((colors) => {
      // VS Code tells of one change in two events: the first, read with half of the change, may be read last.
      if (this.latest === reading) post({ type: 'code_colors', colors });
    }, report);
  }
}
