import { StringDecoder } from 'node:string_decoder';

/** Characters of a line without end that are held back before they are passed on. */
const MAX_LINE = 16 * 1024;
/** How long an escape sequence may be; a longer one counts as text. */
const MAX_SEQUENCE = 4_096;

/* oxlint-disable no-control-regex -- escape sequences are made of control characters */
/** ECMA-48: strings (OSC, DCS, SOS, PM, APC) up to their terminator, CSI sequences, other escapes. */
const SEQUENCES = /\x1b[\]PX^_][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-Z\\^-~]/g;
/** A sequence whose end has not arrived yet. */
const UNFINISHED = /(?:\x1b[\]PX^_][^\x07\x1b\x9c\n]*\x1b?|(?:\x1b\[|\x9b)[0-?]*[ -/]*|\x1b[ -/]*)$/;
/** All controls but tab and line feed. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const CONTROLS = new RegExp(CONTROL, 'g');
/* eslint-enable no-control-regex */

/**
 * Turns what a command writes into plain text: valid Unicode across chunks, no escape sequences or controls, and of a
 * line that carriage returns overwrite only what was seen last.
 *
 * A line is passed on when it ends, when it gets long, or by {@link flush}; so a progress bar costs few lines.
 */
export class TerminalText {
  private readonly decoder = new StringDecoder('utf8');
  /** What the next chunk may complete: a part of an escape sequence, or the first half of a CRLF. */
  private unfinished = '';
  private line = '';
  /** Whether the beginning of the current line was passed on already. */
  private begun = false;

  /** Takes bytes and gives the lines that they complete. */
  push(bytes: Buffer): string {
    return this.take(this.decoder.write(bytes));
  }

  /** What there is of the current line. What comes next continues it. */
  flush(): string {
    const text = this.line.replace(CONTROLS, '');
    // A carriage return at the end decides how the text after it is handled.
    this.line = this.line.endsWith('\r') ? '\r' : '';
    this.begun ||= text !== '';
    return text;
  }

  /** The rest, at the end of the output. */
  end(): string {
    const lines = this.take(this.decoder.end()) + this.accept(this.unfinished);
    this.unfinished = '';
    return lines + this.flush();
  }

  private take(text: string): string {
    if (this.unfinished === '' && !this.line.endsWith('\r') && !CONTROL.test(text)) return this.acceptPlain(text);
    const all = this.unfinished + text;
    const end = all.length - unfinishedLength(all);
    this.unfinished = all.slice(end);
    return this.accept(all.slice(0, end));
  }

  /** The quick way for text that needs no cleaning. */
  private acceptPlain(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) return this.hold(this.line + text);
    const lines = this.line.replace(CONTROLS, '') + text.slice(0, end);
    this.begun = false;
    return lines + this.hold(text.slice(end));
  }

  private accept(text: string): string {
    const lines = (this.line + text.replace(SEQUENCES, '')).split('\n');
    const last = lines.pop() ?? '';
    const done = lines.map((line) => {
      const visible = `${this.afterReturn(line).replace(CONTROLS, '')}\n`;
      this.begun = false;
      return visible;
    });
    const rest = this.afterReturn(last);
    const broken = rest.startsWith('\n');
    if (broken) this.begun = false;
    return done.join('') + (broken ? '\n' : '') + this.hold(broken ? rest.slice(1) : rest);
  }

  /**
   * A line after its last carriage return, on a new line where the beginning was passed on already. Returns at its very
   * end overwrite nothing yet; one of them is kept.
   */
  private afterReturn(line: string): string {
    let length = line.length;
    while (line[length - 1] === '\r') length -= 1;
    const body = line.slice(0, length);
    const end = length < line.length ? '\r' : '';
    const at = body.lastIndexOf('\r');
    return (at !== -1 && this.begun ? '\n' : '') + body.slice(at + 1) + end;
  }

  private hold(line: string): string {
    this.line = line;
    return line.length > MAX_LINE ? this.flush() : '';
  }
}

function unfinishedLength(text: string): number {
  if (text.endsWith('\r')) return 1;
  const tail = text.slice(-MAX_SEQUENCE);
  const escape = Math.max(tail.lastIndexOf('\x1b'), tail.lastIndexOf('\x9b'));
  if (escape === -1) return 0;
  // The last escape may be the first half of what ends a string that began at the one before.
  const before = tail.lastIndexOf('\x1b', escape - 1);
  return UNFINISHED.exec(tail.slice(escape > 0 && before !== -1 ? before : escape))?.[0].length ?? 0;
}
