import { randomUUID } from 'node:crypto';
import { type AgentContext, type ContentBlock, RequestError, type SessionConfigOption, type SessionModeState, type StopReason } from '@agentclientprotocol/sdk';
import { lastTodos } from '../../chat/projection/session-facts.js';
import { errorMessage, NothingToCompactError } from '../../domain/errors.js';
import { parseThinkingEffort } from '../../domain/model/effort.js';
import type { UserMessage } from '../../domain/model/message.js';
import { parsePermissionMode, type PermissionMode } from '../../domain/tool/permission.js';
import { present } from '../../domain/present.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import { withNotebooks } from '../../node/files/notebook-documents.js';
import { titleOf } from '../../session/library/title.js';
import type { Continued, RunOptions } from '../flags.js';
import { type HeadlessHost, type HostWish, openHost, type ProgramParts } from '../open-host.js';
import { askedFor } from '../prompt-message.js';
import type { Written } from '../prompt-text.js';
import { chooseModel, openSession } from '../session-setup.js';
import { answerTo } from '../structured.js';
import { Editor } from './editor.js';
import { EditorCommands } from './editor-commands.js';
import { createEditorDocuments } from './editor-documents.js';
import { EditorPaths, type NamedFolder } from './editor-paths.js';
import { createEditorQuestions } from './editor-questions.js';
import { PermissionAsks } from './permission-asks.js';
import { Reporter } from './reporter.js';
import { type EditorAbilities, infoUpdate, planUpdate, replayOf, stopReasonOf, wordsAboutEnd } from './v1.js';
import { configOptions, modeState } from './v1-choices.js';
import { writtenPrompt } from './v1-prompt.js';

/** What a session of an editor is opened with. */
export interface AcpSessionStart {
  readonly program: ProgramParts;
  readonly options: RunOptions;
  readonly wish: Omit<HostWish, 'folders' | 'documents'>;
  readonly client: AgentContext;
  readonly abilities: EditorAbilities;
  readonly id: string;
  readonly continued: Continued;
  /** The title of one that is continued. */
  readonly title?: string;
  /** The current one first. */
  readonly folders: readonly NamedFolder[];
}

/** What can be chosen of a session, as the protocol has it. */
export interface SessionState {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

/** A session of an editor, on a host of its own: its folders, its files through the editor, and what it is asked are those of no other. */
export class AcpSession {
  private readonly stops: readonly (() => void)[];
  private readonly reporter: Reporter;
  private readonly commands: EditorCommands;
  private running: Promise<StopReason> | undefined;
  /** Stops what is looked up of the message that is answered. */
  private lookingUp = new AbortController();
  /** How often it was cancelled. */
  private cancels = 0;
  private cancelling = false;
  private toldMode: PermissionMode;
  private toldOptions: string;

  private constructor(
    private readonly opened: HeadlessHost,
    private readonly session: AgentSession,
    private readonly editor: Editor,
    private title: string | undefined,
  ) {
    const { host } = opened;
    const { sessionId, paths, abilities } = editor;
    this.reporter = new Reporter((update) => editor.tell(update), paths, abilities, opened.clean);
    this.toldMode = session.effectiveMode;
    this.toldOptions = JSON.stringify(this.state.configOptions);
    this.commands = new EditorCommands(opened, (update) => editor.tell(update));
    const asks = new PermissionAsks({ sessionId, host, paths, request: editor.askPermission });
    this.stops = [
      () => asks.close(),
      () => this.commands.close(),
      host.models.onDidChange(() => this.choicesChanged()),
      session.onEvent((event) => {
        this.reporter.event(event);
        if (event.type === 'settings_changed') this.choicesChanged();
        if (event.type === 'turn_started') this.said(event.message);
      }),
    ];
    // Lists of models come in the background.
    void host.models.refresh();
  }

  /** Opens it. @throws Impossible, or what the store throws, where that cannot be done */
  static async open(start: AcpSessionStart): Promise<AcpSession> {
    const { program, options, wish, client, abilities, id, continued, folders } = start;
    const editor = new Editor(client, id, new EditorPaths(folders), abilities);
    const { files, showForm, sessionId } = editor;
    const documents = files === undefined ? {} : { documents: withNotebooks(createEditorDocuments(createDiskDocuments(), files)) };
    const opened = await openHost(program, { ...wish, ...documents, folders: folders.map(({ real }) => real) });
    try {
      const questions = createEditorQuestions({ sessionId, choose: editor.askPermission, ...present({ form: showForm }) });
      const { session } = await openSession({ ...options, continued, ...(continued.kind === 'new' ? { sessionId: id } : {}) }, opened, questions);
      void opened.tellUnused();
      return new AcpSession(opened, session, editor, start.title);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /** What is chosen, and what could be. */
  get state(): SessionState {
    const { effectiveMode: mode, model, effort } = this.session;
    const { models } = this.opened.host;
    const bypass = this.mayUse('bypassPermissions');
    return { modes: modeState(mode, bypass), configOptions: configOptions({ mode, bypass, model, effort, models: models.entries() }) };
  }

  /** Tells the editor the conversation so far. Resolves when it knows it. */
  async replay(): Promise<void> {
    const { messages } = this.session;
    for (const update of replayOf(messages, this.editor.paths, randomUUID)) this.editor.tell(update);
    const todos = lastTodos(messages);
    if (todos.length > 0) this.editor.tell(planUpdate(todos));
    await this.editor.told();
  }

  /** Tells the editor what it can show of a session beside its conversation, once it knows the session. */
  greet(): void {
    const { messages, context } = this.session;
    const last = messages.at(-1);
    if (last !== undefined) this.editor.tell(infoUpdate(last.timestamp, this.title));
    if (context !== undefined) this.reporter.event({ type: 'context', context, who: this.session.identity });
    this.commands.begin();
  }

  /**
   * Answers a message.
   * @throws Error with a sentence for the user for one that failed; RequestError for one that cannot be read, or comes while another one is answered
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<StopReason> {
    const written = writtenPrompt(blocks, this.editor.paths);
    const { cancels } = this;
    while (this.running !== undefined) {
      // One that was cancelled may still be winding up when the next message comes.
      if (!this.cancelling) throw RequestError.invalidRequest({}, 'Another prompt of this session is being answered. Cancel it first.');
      await this.running.catch(() => undefined);
    }
    if (this.cancels !== cancels || signal.aborted) return 'cancelled';
    const cancel = (): void => this.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    this.running = this.answer(written);
    try {
      return await this.running;
    } catch (error) {
      if (this.cancelling) return 'cancelled';
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.running = undefined;
      this.cancelling = false;
      await this.editor.told();
    }
  }

  /** Carries out what was written. */
  private async answer(written: Written): Promise<StopReason> {
    const { session } = this;
    const { host, documents, clean } = this.opened;
    this.lookingUp = new AbortController();
    const { signal } = this.lookingUp;
    const asked = await askedFor(written, { host, documents, session, signal });
    signal.throwIfAborted();
    if (asked.kind === 'message') for (const note of asked.notes) this.reporter.tell(note);
    const { turn } = await answerTo(asked, session, { schema: undefined, check: undefined }, signal);
    const words = turn.error instanceof NothingToCompactError ? turn.error.message : wordsAboutEnd(turn);
    if (words !== undefined && !this.cancelling) this.reporter.tell(clean(words));
    if (turn.error instanceof NothingToCompactError) return 'end_turn';
    try {
      return stopReasonOf(turn, this.cancelling);
    } catch (error) {
      // What a server answers can have the key in it.
      throw new Error(clean(errorMessage(error)), { cause: error });
    }
  }

  /** The first message gives a session its title. */
  private said(message: UserMessage): void {
    const title = this.title === undefined ? titleOf([message]) : undefined;
    this.title ??= title;
    this.editor.tell(infoUpdate(message.timestamp, title));
  }

  /** Stops what is being answered; nothing where nothing is. */
  cancel(): void {
    this.cancels += 1;
    if (this.running === undefined) return;
    this.cancelling = true;
    this.lookingUp.abort();
    this.session.cancel();
  }

  /** @throws RequestError for a mode that is not offered */
  setMode(name: string): void {
    const mode = parsePermissionMode(name);
    if (mode === undefined || !this.mayUse(mode)) throw RequestError.invalidParams({ modeId: name }, `The mode “${name}” is not offered.`);
    this.session.setMode(mode);
  }

  /** @throws RequestError for what cannot be chosen */
  async setOption(id: string, value: string | boolean): Promise<void> {
    const option = this.state.configOptions.find((each) => each.id === id);
    if (option === undefined || typeof value !== 'string') throw RequestError.invalidParams({ configId: id }, `There is no option “${id}” with such values.`);
    switch (id) {
      case 'mode':
        this.setMode(value);
        return;
      case 'effort': {
        const effort = parseThinkingEffort(value);
        if (effort === undefined) throw RequestError.invalidParams({ value }, `The model cannot think “${value}”.`);
        this.session.setEffort(effort);
        return;
      }
      default: {
        // A name without its provider could mean another model next time.
        if (!value.includes('/')) throw RequestError.invalidParams({ value }, `There is no model “${value}”.`);
        const { provider, model, choice } = await chooseModel(this.opened.host, value);
        this.session.setModel(provider, model, choice);
      }
    }
  }

  /** Stops, saves, and ends everything of the session. */
  async close(): Promise<void> {
    this.cancel();
    for (const stop of this.stops) stop();
    try {
      await this.session.close();
    } finally {
      await this.opened.close();
    }
  }

  private mayUse(mode: PermissionMode): boolean {
    return this.opened.host.permissions.bypass.startingMode(mode) === mode;
  }

  private choicesChanged(): void {
    const { modes, configOptions: options } = this.state;
    const { effectiveMode } = this.session;
    if (effectiveMode !== this.toldMode) {
      this.toldMode = effectiveMode;
      this.editor.tell({ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId });
    }
    const now = JSON.stringify(options);
    if (now === this.toldOptions) return;
    this.toldOptions = now;
    this.editor.tell({ sessionUpdate: 'config_option_update', configOptions: options });
  }
}
