import { relative } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { showUnseen } from '../domain/hidden-characters.js';
import { denialWords } from '../domain/tool/denial.js';
import type { FileReview } from '../edits/ledger-entry.js';
import type { SessionEvent } from '../engine/events.js';
import { showName } from '../text/show.js';
import { problemOf } from './ndjson/messages.js';
import { shown, shownJson, ShownPieces, unfollowed } from './shown.js';
import type { Answered } from './structured.js';
import { type Streams, type Terminal, USUAL_COLUMNS } from './terminal.js';
import { WordWrap } from './word-wrap.js';

/** The words of an answer on their way to the output. */
interface Words {
  /** Takes some. @returns what can be written by now */
  readonly push: (text: string) => string;
  /** @returns what was held back */
  readonly flush: () => string;
}

const AS_THEY_ARE: Words = { push: (text) => text, flush: () => '' };

/** Writes what a run does as text: the words of the model to standard output as they come, the rest beside it. */
export class TextReport {
  /** Whether words were written that no line break ends yet, and whether any were. */
  private openLine = false;
  private spoke = false;
  /** That of the session, as `provider/model`. */
  private model = '';
  private unsaved = false;
  private readonly subjects = new Map<string, string>();
  private words: Words;

  /**
   * @param clean takes keys out of what servers say
   * @param isData whether the answer is data: then the words of the model are none, as there may be attempts among them
   */
  constructor(
    private readonly streams: Streams,
    private readonly terminal: Terminal,
    private readonly clean: (text: string) => string,
    private readonly isData: boolean,
  ) {
    this.words = this.newWords();
  }

  /** Shows an event. */
  event(event: SessionEvent): void {
    switch (event.type) {
      case 'round_started':
        // What the model says between its calls stays apart.
        if (this.spoke) this.separate();
        this.model = event.model;
        this.progress('Working…');
        return;
      case 'stream':
        if (event.event.type === 'text_delta' && !this.isData) this.say(event.event.delta);
        return;
      case 'tool_call': {
        const { state, callId } = event;
        // Before the first question about it, which begins with an empty line.
        this.endLineOnTerminal();
        if ('plan' in state) this.subjects.set(callId, `${state.plan.tool} ${state.plan.subject}`);
        if (state.status === 'running') this.progress(this.subjects.get(callId) ?? '');
        if (state.status === 'denied')
          this.beside(this.terminal.look('yellow', `Denied: ${showUnseen(this.subjects.get(callId) ?? '')} – ${showUnseen(denialWords(state.denial))}`));
        return;
      }
      case 'child':
        return this.ofChild(event.event);
      case 'retry_scheduled':
        this.beside(this.terminal.look('yellow', `${showUnseen(this.clean(errorMessage(event.error)))} ${againIn(event)}`));
        return;
      case 'compacted':
        this.beside(this.terminal.look('quiet', 'The beginning of the conversation was summarized.'));
        return;
      case 'storage_failed':
        // It is tried again with each message.
        if (this.unsaved) return;
        this.unsaved = true;
        this.beside(
          this.terminal.look(
            'red',
            `The session could not be saved: ${showUnseen(this.clean(errorMessage(event.error)))} To run without storing it: --no-session-persistence`,
          ),
        );
        return;
      default:
    }
  }

  /** Shows what an agent does that works for the session: what it says is for that. */
  private ofChild(event: SessionEvent): void {
    if (event.type === 'child') return this.ofChild(event.event);
    const name = showUnseen(event.who.worksFor?.agent ?? '');
    // Which model does the work is never left unsaid where it is another one.
    if (event.type === 'round_started' && event.round === 1 && event.model !== this.model) {
      this.endLineOnTerminal();
      this.beside(this.terminal.look('quiet', `${name}: ${showUnseen(event.who.worksFor?.task ?? '')} (with ${showUnseen(event.model)})`));
    }
    if (event.type !== 'tool_call') return;
    const { state } = event;
    this.endLineOnTerminal();
    if (state.status === 'running') this.progress(`${name}: ${state.plan.tool} ${state.plan.subject}`);
    if (state.status === 'denied')
      this.beside(
        this.terminal.look('yellow', `Denied (${name}): ${showUnseen(`${state.plan.tool} ${state.plan.subject}`)} – ${showUnseen(denialWords(state.denial))}`),
      );
  }

  /** Ends the text, or writes the data that was asked for, and says how the turn ended and what it changed. */
  end({ turn, facts }: Answered, changed: readonly FileReview[], folder: string): void {
    this.terminal.clearProgress();
    this.breakLine();
    if (facts.structured !== undefined) this.streams.output.write(`${shownJson(JSON.stringify(facts.structured))}\n`);
    if (turn.end !== 'end_turn' && turn.end !== 'aborted') this.terminal.line(this.terminal.look('red', showUnseen(this.clean(problemOf(turn)))));
    if (turn.end === 'aborted') this.terminal.line('Stopped.');
    for (const line of changeLines(changed, folder)) this.terminal.line(line);
  }

  /** Shows what goes on, in a line of its own, as the line is taken away later. */
  private progress(text: string): void {
    this.endLineOnTerminal();
    this.terminal.showProgress(text);
  }

  private say(text: string): void {
    this.terminal.clearProgress();
    this.streams.output.write(this.words.push(text));
    this.spoke ||= text.trim() !== '';
    this.openLine = !text.endsWith('\n');
  }

  /** A terminal follows what stands in a text, also where a program passes it on. Where no terminal is, programs get it as it is. */
  private newWords(): Words {
    const { output } = this.streams;
    if (output.isTTY !== true) return this.terminal.isFollowed ? new ShownPieces(unfollowed) : AS_THEY_ARE;
    const [pieces, wrap] = [new ShownPieces(shown), new WordWrap(() => output.columns ?? USUAL_COLUMNS)];
    return { push: (text) => wrap.push(pieces.push(text)), flush: () => wrap.push(pieces.flush()) + wrap.flush() };
  }

  private separate(): void {
    this.terminal.clearProgress();
    this.breakLine();
    this.streams.output.write('\n');
    this.spoke = false;
  }

  private breakLine(): void {
    if (this.openLine) this.streams.output.write(`${this.words.flush()}\n`);
    this.words = this.newWords();
    this.openLine = false;
  }

  private beside(line: string): void {
    this.endLineOnTerminal();
    this.terminal.line(line);
  }

  /** Where words and what stands beside them are on one terminal, they share its lines. */
  private endLineOnTerminal(): void {
    if (this.streams.output.isTTY === true) this.breakLine();
  }
}

/** When a request that failed is made again. */
function againIn({ delayMs, attempt, maxAttempts }: Extract<SessionEvent, { type: 'retry_scheduled' }>): string {
  return `Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt}/${maxAttempts}).`;
}

/** What became of files, one a line. */
export function changeLines(changed: readonly FileReview[], folder: string): readonly string[] {
  if (changed.length === 0) return [];
  const names = changed.map(({ path, created, deleted, movedFrom, lines }) => {
    const what = deleted ? 'deleted' : movedFrom !== undefined ? `moved from ${showName(relative(folder, movedFrom))}` : created ? 'created' : 'changed';
    const count = lines === undefined ? '' : ` (+${lines.added} −${lines.removed})`;
    return `  ${showName(relative(folder, path))}: ${what}${count}`;
  });
  return [`${changed.length === 1 ? '1 file' : `${changed.length} files`} changed:`, ...names];
}
