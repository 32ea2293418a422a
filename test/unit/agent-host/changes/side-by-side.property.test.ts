import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Queue } from '../../../../src/concurrency/queue.js';
import { restoreBefore } from '../../../../src/edits/restore.js';
import { runs } from '../../../support/runs.js';
import { SideBySide } from './side-by-side.js';

const FILES = ['a', 'b'] as const;
const SESSIONS = ['s0', 's1', 's2', 's3'] as const;
type Session = (typeof SESSIONS)[number];
/** Everybody has a place of their own in each file, so that each change is one of its own. */
const PLACES = ['user', ...SESSIONS.flatMap((session) => [`${session}-tool`, `${session}-command`])];
const TEXT = PLACES.map((place) => `[${place}]\n-\n-\n`).join('');

/** How many cases are tried, and how long each may take, in milliseconds, on a machine with much else to do. */
const RUNS = runs(60);
const EACH_MS = 10_000;

/** What is done: a tool writes, a command writes some lines, or the user types. */
type Step =
  | { readonly kind: 'tool'; readonly file: number; readonly cancelled: boolean; readonly stale: boolean }
  | { readonly kind: 'command'; readonly files: readonly number[]; readonly killed: boolean }
  | { readonly kind: 'user'; readonly file: number };

const file = fc.nat(FILES.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tool' as const), file, cancelled: fc.boolean(), stale: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('command' as const), files: fc.array(file, { maxLength: 3 }), killed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('user' as const), file }) },
);

/** Between two moments; `from` and `to` are when it was asked for and when that was done. */
interface Span {
  readonly session: Session;
  readonly from: number;
  readonly to: number;
}

/** A command: while it surely ran, and while it may have. */
interface CommandSpan extends Span {
  readonly began: number;
  readonly stopped: number;
}

/** A line that was written. */
interface Line {
  readonly text: string;
  readonly file: string;
  readonly by: 'tool' | 'command' | 'user';
  readonly session: Session;
  readonly at: number;
}

/** Sessions that do their steps at the same time, with a clock that counts what has happened. */
class World {
  readonly lines: Line[] = [];
  readonly commands: CommandSpan[] = [];
  /** While a tool has a file, or the user has changed it in the life of a command. */
  readonly tools: (Span & { readonly file: string; readonly applied: boolean })[] = [];
  private time = 0;
  private count = 0;
  /** One write at a time: what is tested is who has it, and not what programs do that overwrite each other. */
  private readonly writes = new Queue();

  constructor(private readonly rig: SideBySide) {}

  async run(session: Session, steps: readonly Step[]): Promise<void> {
    for (const [index, each] of steps.entries()) {
      if (each.kind === 'tool') await this.tool(session, each, index);
      else if (each.kind === 'command') await this.command(session, each, index);
      else await this.user(session, FILES[each.file] ?? 'a');
    }
  }

  private tick(): number {
    return (this.time += 1);
  }

  private line(session: Session): string {
    return `${session} ${(this.count += 1)}`;
  }

  private async tool(session: Session, { file: index, cancelled, stale }: Extract<Step, { kind: 'tool' }>, turn: number): Promise<void> {
    const name = FILES[index] ?? 'a';
    const text = this.line(session);
    const plan = () => this.writes.run(() => this.rig.planned(name, (old) => old.replace(`[${session}-tool]\n`, `[${session}-tool]\n${text}\n`)));
    const planned = await plan();
    // What was planned on a text that is another by now is refused.
    const from = this.tick();
    const call = await this.rig.tool(session, stale ? planned : await plan(), turn);
    const applied = await this.writes.run(async () => {
      const done = await call.apply(cancelled ? AbortSignal.abort() : undefined);
      if (done) this.lines.push({ text, file: name, by: 'tool', session, at: this.tick() });
      return done;
    });
    await call.end(!applied);
    this.tools.push({ session, file: name, applied, from, to: this.tick() });
  }

  private async command(session: Session, { files, killed }: Extract<Step, { kind: 'command' }>, turn: number): Promise<void> {
    const from = this.tick();
    const command = await this.rig.command(session, turn);
    const began = this.tick();
    for (const index of files) {
      const name = FILES[index] ?? 'a';
      const text = this.line(session);
      await this.writes.run(async () => {
        // As a whole, and with nothing else beside it: nobody looks at half of it.
        await command.run(
          `sed '/^\\[${session}-command\\]$/a ${text}' ${name} > ${this.rig.storage}/${session}.new && mv ${this.rig.storage}/${session}.new ${name}`,
        );
        this.lines.push({ text, file: name, by: 'command', session, at: this.tick() });
      });
    }
    const stopped = this.tick();
    await command.stop(killed ? 'SIGKILL' : undefined);
    await command.settled();
    this.commands.push({ session, from, began, stopped, to: this.tick() });
  }

  private user(session: Session, name: string): Promise<void> {
    return this.writes.run(() => {
      const text = this.line(session);
      this.rig.typed(name, (old) => old.replace('[user]\n', `[user]\n${text}\n`));
      this.lines.push({ text, file: name, by: 'user', session, at: this.tick() });
    });
  }

  /** Whether commands of another session ran when a line was written: surely, perhaps, or not. */
  private others({ session, at }: Line): 'ran' | 'may have run' | 'did not' {
    const others = this.commands.filter((span) => span.session !== session);
    if (others.some(({ began, stopped }) => began < at && at < stopped)) return 'ran';
    return others.some(({ from, to }) => from < at && at < to) ? 'may have run' : 'did not';
  }

  /** Whether a line was written while a tool had its file: what an editor makes of a tool's text while saving it is the tool's. */
  private isDuringWrite({ by, file: name, at }: Line): boolean {
    return this.tools.some(({ file: other, applied, from, to }) => other === name && (applied || by === 'command') && from < at && at < to);
  }

  /** Whether a line must be under review, must not be, or may be. @param git whether changes of commands are found at all */
  wanted(line: Line, git: boolean): boolean | undefined {
    if (line.by === 'tool') return true;
    if (line.by === 'user') return this.isDuringWrite(line) ? undefined : false;
    if (!git || this.others(line) === 'ran') return false;
    const own = this.commands.find(({ session, from, to }) => session === line.session && from < line.at && line.at < to);
    const typed = this.lines.some(({ by, file: name, at }) => by === 'user' && name === line.file && own !== undefined && own.from < at && at < own.to);
    return typed || this.isDuringWrite(line) || this.others(line) !== 'did not' ? undefined : true;
  }
}

it(
  'property: sessions that write and run commands at the same time each have their own changes, and undoing gives back all others',
  async () => {
    const cases = fc.record({ git: fc.boolean(), sessions: fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }) });
    const restore = fc.option(fc.record({ session: fc.constantFrom(...SESSIONS), turn: fc.nat(2) }));
    await fc.assert(
      fc.asyncProperty(cases, restore, async ({ git, sessions }, restored) => {
        const rig = new SideBySide({ git, texts: Object.fromEntries(FILES.map((name) => [name, TEXT])) });
        const world = new World(rig);
        await Promise.all(sessions.map((steps, index) => world.run(SESSIONS[index] ?? 's0', steps)));
        expect(rig.log.lines.filter((line) => line.includes('could not'))).toEqual([]);
        const claimed = await rig.claimed();
        for (const line of world.lines) {
          const { sessions: owners = [], lines = [] } = claimed[line.file] ?? {};
          const wanted = world.wanted(line, git);
          if (wanted !== undefined) expect([line, lines.includes(line.text)]).toEqual([line, wanted]);
          if (lines.includes(line.text) && line.by !== 'user') expect(owners).toContain(line.session);
        }
        if (restored !== null) {
          // A restore of one session leaves what the others did, or asks and is told to.
          await restoreBefore(rig.parts, restored.session, restored.turn);
          const own = world.lines.filter(({ session, by }) => session === restored.session && by !== 'user').map(({ text }) => text);
          for (const { text, file: name } of world.lines.filter(
            (line) => !own.includes(line.text) && (line.by !== 'user' || world.wanted(line, git) === false),
          ))
            expect(rig.read(name)?.split('\n')).toContain(text);
          return;
        }
        const kept = Object.fromEntries(
          FILES.map((name) => [name, (rig.read(name) ?? '').split('\n').filter((line) => claimed[name]?.lines.includes(line) !== true)]),
        );
        expect(await rig.ledger.undoAll()).toEqual([]);
        expect(Object.fromEntries(FILES.map((name) => [name, (rig.read(name) ?? '').split('\n')]))).toEqual(kept);
      }),
      { numRuns: RUNS },
    );
  },
  EACH_MS * RUNS,
);
