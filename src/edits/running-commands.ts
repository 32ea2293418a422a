import { basename } from 'node:path';
import { Queue } from '../concurrency/queue.js';
import type { Log } from '../domain/log.js';
import { present } from '../domain/present.js';
import {
  type ChangedFiles,
  type CommandChange,
  type CommandWatch,
  type CommandWatcher,
  type RecordedCall,
  type FileSnapshot,
  sameContent,
  versionOf,
} from '../domain/workspace/changes.js';
import { CHAT_AUTHOR, type ChangeAuthor } from '../domain/workspace/change-author.js';
import type { Checkpoints } from './checkpoints.js';
import { type CommandPlace, covers, isAlone, isOther, overlap } from './command-place.js';
import type { Seen } from './ledger-entry.js';
import type { Ledger } from './ledger.js';
import { changesOf, leftByCall, movesOf } from './made-changes.js';
import type { UserEdits } from './user-edits.js';

/** Names of files that are logged; of more, the first. */
const MAX_LOGGED = 20;

/** Services that attribute file changes to commands: file snapshots, the user's edits, checkpoints, and the ledger for review. */
export interface RunningCommandsDeps {
  readonly checkpoints: Checkpoints;
  readonly ledger: Ledger;
  readonly files: ChangedFiles;
  /** Finds what commands change; without it that is not known. */
  readonly commands?: CommandWatcher;
  /** The user's own edits. */
  readonly edits: UserEdits;
  readonly log: Log;
}

/** A command that runs. */
interface Running {
  readonly call: RecordedCall;
  readonly place: CommandPlace;
  /** Absent where nothing is found, or could not be looked for, and for what runs on in the background. */
  readonly watch: CommandWatch | undefined;
  /** Whether its call is over, and what it has started may run on in the background. */
  readonly isOver?: true;
  /** Since the files were last looked at. */
  since: Stretch;
  /** The same for files that were left out then, as a tool was writing them. */
  readonly left: Map<string, Stretch>;
}

/** Other possible sources of file changes in a period. */
interface Stretch {
  /** Commands of others that ran in it: changes that those of other sessions may have made are attributed to no session. */
  readonly rivals: readonly CommandPlace[];
  /** The moment in the edits of the user when it began. */
  readonly moment: number;
}

/** A tool that is writing files itself. */
export interface Writer {
  readonly call: RecordedCall;
  /** The files as they were before. */
  readonly before: readonly Seen[];
  /** Whether a command of another session or agent has run meanwhile, so that not all that is in the files may be the tool's. */
  contested: boolean;
}

/**
 * Tells apart what commands change that run at the same time, and notes it for undo and for review.
 *
 * The files are looked at whenever a command begins or ends, and one by one when a tool writes. What changed between two looks is a command's
 * when only those of one session ran; what those of several may have changed is left out, so that nothing is ever undone that may be of
 * someone else. Of agents that work for one session, each has what changed while only its commands ran; the rest is that session's own. What
 * tools write is known, and what the user does in an editor is theirs.
 */
export class RunningCommands {
  private readonly running = new Set<Running>();
  private readonly writers = new Set<Writer>();
  private readonly queue = new Queue();

  constructor(private readonly deps: RunningCommandsDeps) {}

  /** Looks at the files before a command. @returns how to note what it changed, once it has ended; neither rejects */
  begin(call: RecordedCall): Promise<{ end(): Promise<void> }> {
    return this.queue.run(async () => {
      const moment = this.deps.edits.now();
      const watch = await this.guarded('The files could not be looked at before a command', () => this.watch(call));
      const place = placeOf(call, watch);
      const others = this.othersOf(place);
      const running: Running = { call, place, watch, since: { rivals: others.map((other) => other.place), moment }, left: new Map() };
      // A file that a tool is writing was seen at any moment of that, and what others did to it before is known only afterwards.
      for (const path of this.beingWritten()) running.left.set(path, { rivals: [unknownAt(path)], moment });
      for (const other of others) {
        // What it changed until now is certainly its own.
        if (!other.since.rivals.some((rival) => covers(rival, place))) await this.settle(other, other.since.rivals);
        other.since = { ...other.since, rivals: [...other.since.rivals, place] };
      }
      this.running.add(running);
      for (const writer of this.writers) writer.contested ||= isOther(runnerOf(writer.call), place);
      return { end: () => this.queue.run(() => this.end(running)) };
    });
  }

  /** Looks at the files that a tool is about to write. What commands changed of them until now is noted. Does not reject. */
  write(call: RecordedCall, paths: readonly string[]): Promise<Writer> {
    return this.queue.run(async () => {
      const before = await this.look(paths);
      for (const running of this.running) {
        await this.note(running, await this.taken(running, before));
      }
      const contested = [...this.running].some(({ place }) => isOther(place, runnerOf(call)));
      const writer: Writer = { call, before, contested };
      this.writers.add(writer);
      return writer;
    });
  }

  /** Notes what a tool has written, however it ended. Does not reject. @param failed whether it failed */
  written(writer: Writer, failed: boolean): Promise<void> {
    return this.queue.run(async () => {
      const now = await this.look(writer.before.map(({ path }) => path));
      const after = this.leftBy(writer, now, failed);
      await this.guarded('What a call changed could not be noted', () => this.noteWritten(writer, after));
      const untouched = after.flatMap(({ path, snapshot }, index) => (isSame(snapshot, now[index]?.snapshot) ? [path] : []));
      for (const running of this.running) {
        await this.taken(running, after);
        // Only the tool has changed the file: later changes are of the commands that run now.
        for (const path of untouched) running.left.delete(path);
      }
      this.writers.delete(writer);
    });
  }

  private async noteWritten({ call, before }: Writer, after: readonly Seen[]): Promise<void> {
    const { checkpoints, ledger } = this.deps;
    await checkpoints.settle(call, after);
    await ledger.changed(call.sessionId, changesOf(before, after, movesOf(call.plan)), call.by);
  }

  /** The files as a tool left them. Changes by an editor's formatter while saving count as the tool's, unless a command may have made them. */
  private leftBy({ call, before, contested }: Writer, now: readonly Seen[], failed: boolean): readonly Seen[] {
    return contested || failed ? leftByCall(call.plan, { before, now, failed }) : now;
  }

  private look(paths: readonly string[]): Promise<readonly Seen[]> {
    return Promise.all(paths.map(async (path) => ({ path, snapshot: await this.deps.files.look(path) })));
  }

  private watch({ ground, plan }: RecordedCall): Promise<CommandWatch> | undefined {
    const { preview } = plan;
    return ground === undefined ? undefined : this.deps.commands?.watch([...ground.folders, ...(preview.kind === 'command' ? [preview.cwd] : [])]);
  }

  private async end(running: Running): Promise<void> {
    await this.settle(running, []);
    this.running.delete(running);
    const { call, place } = running;
    // What runs on in the background is not followed, but may change what others are taken to have changed.
    if (call.ground?.runsInBackground?.() === true && !this.isFollowed(place)) this.running.add({ ...running, watch: undefined, isOver: true });
    for (const other of this.othersOf(place)) {
      const rivals = this.othersOf(other.place).map((each) => each.place);
      if (rivals.some((rival) => covers(rival, place))) continue;
      await this.settle(other, rivals);
    }
  }

  /** Whether it is known already that something of a session runs in the background. */
  private isFollowed(place: CommandPlace): boolean {
    return [...this.running].some((running) => running.isOver === true && !isOther(running.place, place) && covers(running.place, place));
  }

  /** The commands of others that run where one does. */
  private othersOf(place: CommandPlace): readonly Running[] {
    for (const running of this.running) {
      if (running.isOver === true && running.call.ground?.runsInBackground?.() === false) this.running.delete(running);
    }
    return [...this.running].filter((running) => isOther(running.place, place) && overlap(running.place, place));
  }

  /** The files that tools are writing. */
  private beingWritten(): ReadonlySet<string> {
    return new Set([...this.writers].flatMap(({ before }) => before.map(({ path }) => path)));
  }

  /** Notes what a command has changed until now. @param rivals the commands of others that run from here on */
  private settle(running: Running, rivals: readonly CommandPlace[]): Promise<void> {
    return this.guarded('What a command changed could not be found out', async () => {
      const { watch, since, left } = running;
      const moment = this.deps.edits.now();
      const writing = this.beingWritten();
      await this.note(running, (await watch?.changed(writing)) ?? []);
      for (const path of left.keys()) if (!writing.has(path)) left.delete(path);
      for (const path of writing) left.set(path, joined(left.get(path), since));
      running.since = { rivals, moment };
    });
  }

  private async taken({ watch }: Running, seen: readonly Seen[]): Promise<readonly CommandChange[]> {
    const taken = await this.guarded('What a command changed could not be found out', () =>
      Promise.all(watch === undefined ? [] : seen.map(({ path, snapshot }) => watch.take(path, snapshot))),
    );
    return (taken ?? []).filter((change) => change !== undefined);
  }

  /** Notes those of the changes that are certainly a command's. */
  private async note({ call, place, since, left }: Running, changes: readonly CommandChange[]): Promise<void> {
    const { edits, log } = this.deps;
    const stretchOf = (path: string): Stretch => joined(left.get(path), since);
    const notUsers = changes.filter(({ path }) => !edits.since(stretchOf(path).moment, path));
    const rivalsAt = (path: string, isOfSession: boolean): readonly CommandPlace[] =>
      stretchOf(path).rivals.filter(({ sessionId }) => (sessionId === call.sessionId) === isOfSession);
    const own = notUsers.filter(({ path }) => isAlone(place, rivalsAt(path, false), path));
    if (own.length < notUsers.length) log.info(leftOut(notUsers.filter((change) => !own.includes(change))));
    // Of agents that work for one chat, either may have changed it: then it is the chat's.
    const [certain, shared] = [true, false].map((isCertain) => own.filter(({ path }) => isAlone(place, rivalsAt(path, true), path) === isCertain));
    await this.noteOwn(call, certain ?? [], call.by);
    await this.noteOwn(call, shared ?? [], CHAT_AUTHOR);
  }

  private async noteOwn(call: RecordedCall, own: readonly CommandChange[], by: ChangeAuthor | undefined): Promise<void> {
    const { checkpoints, ledger } = this.deps;
    if (own.length === 0) return;
    const [before, after] = [
      own.map((change) => ({ path: change.path, snapshot: change.before })),
      own.map((change) => ({ path: change.path, snapshot: change.after })),
    ];
    await this.guarded('What a command changed could not be noted', async () => {
      await checkpoints.begin(call, before);
      await checkpoints.settle(call, after);
      await ledger.changedSince(call.sessionId, changesOf(before, after, []), by);
    });
  }

  /** Trouble is logged and never in the way of a call. */
  private async guarded<T>(problem: string, work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.deps.log.error(problem, error);
      return undefined;
    }
  }
}

/** Where a command runs. Where nothing is found, what it may change is where its session works. */
function placeOf({ sessionId, by, ground, plan: { preview } }: RecordedCall, watch: CommandWatch | undefined): CommandPlace {
  const folders = watch?.folders ?? [...(ground?.folders ?? []), ...(preview.kind === 'command' ? [preview.cwd] : [])];
  return { ...runnerOf({ sessionId, ...present({ by }) }), folders, area: watch?.area ?? folders };
}

function runnerOf({ sessionId, by = CHAT_AUTHOR }: Pick<RecordedCall, 'sessionId' | 'by'>): Pick<CommandPlace, 'sessionId' | 'author'> {
  return { sessionId, author: by.id };
}

function isSame(a: FileSnapshot, b: FileSnapshot | undefined): boolean {
  return b !== undefined && sameContent(versionOf(a), versionOf(b));
}

/** Somebody of whom no more is known than that they may have changed a file. */
function unknownAt(path: string): CommandPlace {
  return { sessionId: '', author: '', folders: [path], area: [path] };
}

/** Two stretches of time, the first one before the other. */
function joined(earlier: Stretch | undefined, later: Stretch): Stretch {
  return earlier === undefined ? later : { rivals: [...new Set([...earlier.rivals, ...later.rivals])], moment: earlier.moment };
}

function leftOut(changes: readonly CommandChange[]): string {
  const names = changes.slice(0, MAX_LOGGED).map(({ path }) => basename(path));
  const named = `${names.join(', ')}${changes.length > MAX_LOGGED ? ', …' : ''}`;
  return `Commands of several chats ran at the same time. What changed meanwhile is attributed to none of them: ${named}`;
}
