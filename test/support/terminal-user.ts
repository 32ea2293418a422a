/** What the last of the keys that can be pressed is for. */
const LAST_CHOICE = '[d] deny and say why';
/** Milliseconds after which a key is pressed again that had no effect, as one has that comes right behind another or behind the question. */
const AGAIN_MS = 450;

/** A user at a terminal, who presses a key for each question about a call until it is answered. */
export class TerminalUser {
  /** How often they were asked. */
  asked = 0;
  private pressing: NodeJS.Timeout | undefined;

  /** @param keyFor which key answers the n-th question, such as 0; `undefined` for none */
  constructor(
    private readonly press: (key: string) => void,
    private readonly keyFor: (n: number) => string | undefined,
  ) {}

  /** Takes all that stands on the screen by now. */
  sees(screen: string): void {
    const parts = screen.split(LAST_CHOICE);
    if (parts.at(-1)?.trim() !== '') this.stop();
    if (parts.length - 1 <= this.asked) return;
    const key = this.keyFor(this.asked);
    this.asked += 1;
    if (key !== undefined) this.pressing = setInterval(() => this.press(key), AGAIN_MS);
  }

  /** Ends the pressing. */
  stop(): void {
    clearInterval(this.pressing);
  }
}
