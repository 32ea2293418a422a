import type { Request } from '../../domain/model/provider.js';
import { parsed, record, text } from './json.js';
import { type WrittenCall, WholeAnswer } from './written-call.js';

/** A piece of an answer's text, by what it is. */
export interface Piece {
  readonly type: 'text' | 'thinking';
  readonly delta: string;
}

const THINK = '<think>';
const THINK_END = '</think>';
const CALL = '<tool_call>';
const CALL_END = '</tool_call>';

/**
 * Tells thinking and calls from the text of an answer, for servers that leave that to their clients. What is one of
 * them in a model's template is text like any other to its server when the template is not known there.
 *
 * Thinking is what stands between `<think>` and `</think>` at the very beginning, as DeepSeek R1 and Qwen write it. It is
 * passed on as it comes; without an end all of the answer is thinking.
 */
export class TaggedText {
  private phase: 'start' | 'thinking' | 'after' | 'text' = 'start';
  /** What may be the beginning of a tag, or the space before one. */
  private held = '';
  private readonly calls: CallText;

  /** @param request only its tools can be called; absent where calls never come as text */
  constructor(request: Request | undefined) {
    this.calls = new CallText(request);
  }

  /** Takes more text. */
  take(delta: string): readonly Piece[] {
    const all = this.held + delta;
    this.held = '';
    switch (this.phase) {
      case 'start':
        return this.begin(all);
      case 'thinking':
        return this.think(all);
      case 'after':
        // The empty lines between thinking and answer.
        if (all.trimStart() === '') return [];
        this.phase = 'text';
        return this.calls.take(all.trimStart());
      case 'text':
        return this.calls.take(all);
    }
  }

  /** Thinking has come in a field of its own: then no tag begins any. */
  thoughtElsewhere(): void {
    if (this.phase === 'start' && this.held === '') this.phase = 'text';
  }

  /**
   * The end of the answer: what was held back, and the calls.
   * @param whole whether the model said that it is done
   */
  end(whole: boolean): { readonly pieces: readonly Piece[]; readonly calls: readonly WrittenCall[] } {
    const held: readonly Piece[] = this.held === '' ? [] : [{ type: this.phase === 'thinking' ? 'thinking' : 'text', delta: this.held }];
    this.held = '';
    const { rest, calls } = this.calls.end(whole);
    return { pieces: [...held, ...rest], calls };
  }

  private begin(all: string): readonly Piece[] {
    const words = all.trimStart();
    if (words.startsWith(THINK)) {
      this.phase = 'thinking';
      return this.think(words.slice(THINK.length));
    }
    if (THINK.startsWith(words)) {
      this.held = all;
      return [];
    }
    this.phase = 'text';
    return this.calls.take(all);
  }

  private think(all: string): readonly Piece[] {
    const end = all.indexOf(THINK_END);
    if (end < 0) {
      const sure = all.length - partOfTag(all, THINK_END);
      this.held = all.slice(sure);
      return pieces('thinking', all.slice(0, sure));
    }
    this.phase = 'after';
    return [...pieces('thinking', all.slice(0, end)), ...this.take(all.slice(end + THINK_END.length))];
  }
}

/**
 * Finds calls that come as text. In other templates than the one below a call is one only where it is the whole answer. A `</think>` on
 * a line of its own, whose beginning was in the prompt, is left out; what follows is the answer. The other is `<tool_call>{"name": …, "arguments":
 * {…}}</tool_call>`, as in the templates of Hermes and Qwen. Text can also quote such a thing, from a file for example, so it is taken for a call only if it
 * begins a line outside of code, nothing but other calls follows until the end, it names one of the tools, and it stands in nothing that the model was given.
 * Whatever is in doubt stays text.
 */
class CallText {
  private whole: WholeAnswer;
  private thoughtEnded = false;
  /** The current line as far as it came. */
  private line = '';
  /** The marks that the open code block began with; empty outside of one. */
  private fence = '';
  /** Everything from the first call on, or what may begin it. In pieces: a call can be very long. */
  private held: string[] = [];
  private found = false;
  /** The end of what is held, in which the next tag is looked for, and whether that comes behind a call or ends one. */
  private unread = '';
  private behind = false;

  constructor(private readonly request: Request | undefined) {
    this.whole = new WholeAnswer(request?.tools ?? []);
  }

  take(more: string): readonly Piece[] {
    if (this.request === undefined || this.request.tools.length === 0) return pieces('text', more);
    return this.takeText(this.whole.take(more));
  }

  private takeText(delta: string): readonly Piece[] {
    if (this.found) return this.hold(delta);
    const all = this.release() + delta;
    let from = 0;
    while (from < all.length) {
      if (this.line === '' && this.fence === '') {
        const rest = all.slice(from, from + CALL.length);
        if (CALL.startsWith(rest)) {
          this.found = rest === CALL;
          return [...pieces('text', all.slice(0, from)), ...this.hold(all.slice(from))];
        }
        const [end, newline] = this.thoughtEnded ? [] : (/^<\/think>(?:(\r?\n)|\r?$)/.exec(all.slice(from, from + THINK_END.length + 2)) ?? []);
        if (!this.thoughtEnded && (THINK_END.startsWith(rest) || (end !== undefined && newline === undefined))) {
          this.held.push(all.slice(from));
          return pieces('text', all.slice(0, from));
        }
        if (end !== undefined) return [...pieces('text', all.slice(0, from)), ...this.answerBehind(all.slice(from + end.length))];
      }
      from = this.passLine(all, from);
    }
    return pieces('text', all);
  }

  end(whole: boolean): { readonly rest: readonly Piece[]; readonly calls: readonly WrittenCall[] } {
    const { text: words, found } = this.whole.end();
    if (whole && found !== undefined && !this.wasGiven(words)) return { rest: pieces('thinking', found.thinking), calls: [found.call] };
    const before = words === '' ? [] : this.takeText(words);
    const { rest, calls } = this.endText(whole);
    return { rest: [...before, ...rest], calls };
  }

  /** What follows thinking whose beginning was not sent is an answer of its own. */
  private answerBehind(words: string): readonly Piece[] {
    this.thoughtEnded = true;
    this.whole = new WholeAnswer(this.request?.tools ?? []);
    return this.take(words);
  }

  private endText(whole: boolean): { readonly rest: readonly Piece[]; readonly calls: readonly WrittenCall[] } {
    const all = this.release();
    if (!this.thoughtEnded && this.line === '' && all.trim() === THINK_END) return { rest: [], calls: [] };
    const calls = whole && this.found ? this.callsOf(all) : undefined;
    return calls === undefined ? { rest: pieces('text', all), calls: [] } : { rest: [], calls };
  }

  /** Keeps text back as long as all of it can be calls. */
  private hold(more: string): readonly Piece[] {
    this.held.push(more);
    if (!this.found || this.couldBeCalls(more)) return [];
    const all = this.release();
    this.found = false;
    this.behind = false;
    this.unread = '';
    // The tag is passed over, so that this is not found again.
    this.line = CALL;
    return [...pieces('text', CALL), ...this.takeText(all.slice(CALL.length))];
  }

  /** Passes the rest of a line. @returns where the next one begins */
  private passLine(all: string, from: number): number {
    const newline = all.indexOf('\n', from);
    this.line += all.slice(from, newline < 0 ? undefined : newline);
    if (newline < 0) return all.length;
    const [, marks = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(this.line.trimEnd()) ?? [];
    if (this.fence === '') this.fence = marks;
    else if (marks.startsWith(this.fence) && info === '') this.fence = '';
    this.line = '';
    return newline + 1;
  }

  private release(): string {
    const all = this.held.join('');
    this.held = [];
    return all;
  }

  /** Whether nothing that is held stands outside of calls, with what is new of it. */
  private couldBeCalls(more: string): boolean {
    this.unread += more;
    for (;;) {
      if (!this.behind) {
        const end = this.unread.indexOf(CALL_END);
        this.behind = end >= 0;
        this.unread = this.unread.slice(end < 0 ? 1 - CALL_END.length : end + CALL_END.length);
        if (end < 0) return true;
      }
      this.unread = this.unread.trimStart();
      if (!this.unread.startsWith(CALL)) return CALL.startsWith(this.unread);
      this.behind = false;
    }
  }

  /** Whether a text stands in what the model was given: then it may only quote it. */
  private wasGiven(words: string): boolean {
    const wanted = letters(words);
    const given = (text: string): boolean => letters(text).includes(wanted);
    const { systemPrompt = '', messages = [] } = this.request ?? {};
    return (
      given(systemPrompt) || messages.some(({ role, content }) => role !== 'assistant' && content.some((block) => block.type === 'text' && given(block.text)))
    );
  }

  /** The calls that a text consists of; `undefined` if one of them is in doubt. */
  private callsOf(words: string): readonly WrittenCall[] | undefined {
    const bodies = words
      .split(CALL)
      .slice(1)
      .map((part) => part.trimEnd());
    const calls = bodies.map((body) => (body.endsWith(CALL_END) ? callOf(body.slice(0, -CALL_END.length)) : undefined));
    const sure = calls.filter((call) => call !== undefined);
    const known = sure.every(({ name }) => this.request?.tools.some((tool) => tool.name === name));
    return sure.length === calls.length && known && !bodies.some((body) => this.wasGiven(body.slice(0, -CALL_END.length))) ? sure : undefined;
  }
}

function callOf(body: string): WrittenCall | undefined {
  const call = record(parsed(body));
  const args = record(call?.['arguments']);
  const name = text(call?.['name']);
  return name === '' || args === undefined ? undefined : { name, arguments: JSON.stringify(args) };
}

/** Only the letters of a text: what is quoted may lose its line numbers and indentation. */
function letters(words: string): string {
  return words.replaceAll(/\P{L}+/gu, '');
}

/** How many characters at the end of a text may be the beginning of a tag. */
function partOfTag(words: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, words.length); length > 0; length--) if (words.endsWith(tag.slice(0, length))) return length;
  return 0;
}

function pieces(type: Piece['type'], delta: string): readonly Piece[] {
  return delta === '' ? [] : [{ type, delta }];
}
