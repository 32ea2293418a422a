import type { Binding, NotBound } from '../../domain/workspace/binding.js';
import { DATA_FILE, pathsThatMayRun, programOf, projectFilesOf } from '../command-paths.js';
import {
  ALONE,
  BEFORE_COMMAND,
  HARMLESS,
  HARMLESS_UNLESS,
  type Interpreter,
  interpreterOf,
  isSteering,
  scriptsOf,
  SETTERS,
  SETTINGS_FILES,
  WRAPPERS,
  WRITERS,
} from './programs.js';
import { withoutVersion } from './packages.js';
import { Places } from './places.js';
import type { SimpleCommand, Word } from './word.js';

/** Reads the line of a shell within a line. */
type ReadInner = (text: string) => readonly SimpleCommand[] | undefined;

/** A program as it is called. */
interface Called {
  readonly program: Word;
  readonly args: readonly Word[];
  readonly inputs: readonly Word[];
}

/** Lines within lines that are followed. */
const MAX_DEPTH = 5;

/** Goes through the commands of a line, in whatever order they run, and gathers what they run and load. */
export class CommandWalk {
  private readonly files = new Set<string>();
  private readonly scriptFiles = new Set<string>();
  private readonly folders = new Set<string>();
  private readonly notBound = new Map<string, NotBound>();
  private readonly places: Places;
  /** With whether it is known that the word is what is written to. */
  private readonly written: { readonly word: Word; readonly isSure: boolean }[] = [];
  /** Words that are lines themselves and were read as such. */
  private readonly followed = new Set<Word>();
  private depth = 0;
  private readInner: ReadInner = () => undefined;

  constructor(folder: string, cwd: string, home: string) {
    this.places = new Places(folder, cwd, home);
  }

  run(commands: readonly SimpleCommand[], readInner: ReadInner): void {
    this.readInner = readInner;
    // Where a line goes counts for all of it: loops and functions run what is written before, also where a line within the line goes.
    for (let pass = 0; pass < 2; pass += 1) this.commands(commands);
  }

  /** A line that cannot be read. */
  unread(): void {
    this.tell({ kind: 'line' });
  }

  /** A variable that decides what programs load: what its value names is bound, and that there may be more is said. */
  steer(name: string, value: Word): void {
    this.tell({ kind: 'variable', text: name });
    const parts = [value.value, value.written.replace(/["']/g, '')].flatMap((text) => text.split(/[:;\s=]+/));
    // Options are among them, with a path behind a letter (`-Ilib`) or a name.
    const paths = parts.flatMap((part) => [part, part.replace(/^-[A-Za-z]/, ''), part.replace(/^-+[A-Za-z-]*(?=[./])/, '')]);
    for (const path of new Set(paths)) {
      if (path === '' || /^-|[$`*?]/.test(path)) continue;
      this.loadedFile(path);
      // `ENV=test` names no folder, though there may be one.
      if (/[\\/]/.test(path) || /PATH|LIB|DIR|HOME|OPT|ROOT|PREFIX/i.test(name)) this.folder(path);
    }
  }

  result(): Omit<Binding, 'earlier'> {
    // Where nothing is run, nothing that was written is.
    const written = this.notBound.size + this.files.size === 0 ? [] : this.written;
    for (const { word, isSure } of written) {
      const mayRun = !isSure || !word.known || this.places.of(word.value).some((path) => this.files.has(path) || !DATA_FILE.test(path));
      if (mayRun) this.tell({ kind: 'written', text: word.written });
    }
    return { files: [...this.files], scripts: [...this.scriptFiles], folders: [...this.folders], notBound: [...this.notBound.values()] };
  }

  private commands(commands: readonly SimpleCommand[]): void {
    this.places.follow(
      commands.flatMap(({ words }) => foldersGoneTo(words)),
      (word) => this.unknownWord(word),
    );
    for (const command of commands) this.command(command);
  }

  private command({ assignments, words, inputs, outputs }: SimpleCommand): void {
    const rest = this.withoutPrefixes(words);
    for (const { name, value } of assignments) this.assign(name, value);
    this.writes(outputs);
    const [program, ...args] = rest;
    if (program !== undefined) this.program(program, args, inputs);
    for (const word of [...words, ...assignments.map(({ value }) => value)]) this.hidden(word);
  }

  private writes(words: readonly Word[]): void {
    const inside = words.filter(({ value, known }) => !known || (!/^(?:\d+|-)$/.test(value) && this.places.isInside(value)));
    this.written.push(...inside.map((word) => ({ word, isSure: true })));
  }

  /** A substitution in a text is carried out where that is taken for a number: bash(1), “Arithmetic Evaluation”, of `let`, `[[`, and others. */
  private hidden(word: Word): void {
    if (word.known && /\$\(|`/.test(word.value) && !this.followed.has(word)) this.tell({ kind: 'word', text: word.written });
  }

  /** Without keywords and what is set behind them. */
  private withoutPrefixes(words: readonly Word[]): readonly Word[] {
    const [first, ...rest] = words;
    if (first === undefined) return [];
    const [whole, name] = /^([A-Za-z_]\w*)\+?=/.exec(first.written) ?? [];
    if (whole !== undefined && name !== undefined) this.assign(name, { ...first, value: first.value.slice(whole.length) });
    else if (!first.known || !BEFORE_COMMAND.has(first.value)) return words;
    return this.withoutPrefixes(rest);
  }

  private assign(name: string, value: Word): void {
    if (isSteering(name)) this.steer(name, value);
  }

  private program(program: Word, args: readonly Word[], inputs: readonly Word[]): void {
    if (!program.known) return this.unknownProgram(program, args);
    const name = programOf(program.value);
    const isPath = /[\\/]/.test(program.value);
    if (!isPath && (ALONE.has(name) || ((name === 'cd' || name === 'pushd' || name === 'popd') && args.length < 3))) return;
    if (!isPath && SETTERS.has(name)) return this.setter(args);
    const isHarmless = HARMLESS.has(name) && !args.some(({ value }) => HARMLESS_UNLESS.get(name)?.test(value));
    if (isHarmless && (!isPath || this.places.isSystem(program.value))) return name === 'echo' ? undefined : this.operands(args);
    if (!isPath && name === 'tee') return this.writes(args.filter(({ value }) => !value.startsWith('-')));
    this.projectFiles(name, args);
    if (!isPath && (name === 'source' || name === '.')) return this.scripts(args.slice(0, 1), program);
    if (!isPath && name === 'eval') return this.evaluated(args);
    if (!isPath && WRITERS.has(name)) return void this.written.push({ word: args.at(-1) ?? program, isSure: false });
    const interpreter = interpreterOf(name);
    if (isPath && !this.places.isSystem(program.value)) this.scripts([program], program);
    if (WRAPPERS.has(name)) return this.wrapped(name, args, inputs);
    if (interpreter !== undefined) return this.interpreted(interpreter, { program, args, inputs });
    if (!isPath || this.places.isSystem(program.value)) this.tell({ kind: 'program', text: program.value });
    for (const text of withoutVersion(name, args)) this.tell({ kind: 'version', text });
    this.operands(args);
  }

  private evaluated(args: readonly Word[]): void {
    for (const word of args) this.followed.add(word);
    const [value, written] = [args.map((word) => word.value).join(' '), args.map((word) => word.written).join(' ')];
    this.inner({ value, written, known: args.every(({ known }) => known) });
  }

  private unknownProgram(program: Word, args: readonly Word[]): void {
    this.unknownWord(program);
    for (const word of args) if (!word.known) this.unknownWord(word);
    // Whatever it is, it may run any of them.
    for (const { value } of args) this.runFile(value);
  }

  private interpreted(interpreter: Interpreter, { program, args, inputs }: Called): void {
    const { scripts, loaded, code, unclear, readsInput, isOther } = scriptsOf(interpreter, args);
    const name = programOf(program.value);
    this.scripts(scripts, program);
    for (const word of loaded) this.load(word);
    for (const word of unclear) this.unclear(word, name);
    for (const word of code) {
      this.followed.add(word);
      if (interpreter.isShell === true) this.inner(word);
      else this.tell({ kind: 'code', text: name });
    }
    if (isOther) this.tell({ kind: 'program', text: name });
    if (readsInput) {
      this.tell({ kind: 'input', text: name });
      this.scripts(inputs, program);
    }
    this.operands(args);
  }

  /** The word of an option that may load something. */
  private unclear(word: Word, program: string): void {
    this.tell(word.known ? { kind: 'program', text: `${program} ${word.value}` } : { kind: 'word', text: word.written });
  }

  private wrapped(name: string, args: readonly Word[], inputs: readonly Word[]): void {
    const [first] = args;
    if (name === 'command' && first?.known === true && /^-[vV]+$/.test(first.value)) return;
    if (name === 'xargs') this.tell({ kind: 'input', text: name });
    const at = args.findIndex(({ value, known, written }) => !/^(?:-|[A-Za-z_]\w*=|\d+(?:\.\d+)?[smhd]?$)/.test(known ? value : written));
    const before = at === -1 ? args : args.slice(0, at);
    const options = before.filter(({ written, value }) => written.startsWith('-') && value !== '--');
    this.setter(before.filter(({ written, value }) => /^[A-Za-z_]\w*=/.test(value === '' ? written : value)));
    // What an option takes may be what looks like the program, and the other way round.
    for (const word of options) this.unclear(word, name);
    if (options.length > 0) for (const { value } of args) this.runFile(value);
    const [program, ...rest] = at === -1 ? [] : args.slice(at);
    if (program !== undefined) this.program(program, rest, inputs);
  }

  private setter(args: readonly Word[]): void {
    for (const { written, value, known } of args) {
      const [whole, name] = /^([A-Za-z_]\w*)\+?=?/.exec(value) ?? [];
      if (whole !== undefined && name !== undefined) this.assign(name, { written, value: value.slice(whole.length), known });
    }
  }

  /** A line within the line. */
  private inner(word: Word): void {
    const commands = word.known && this.depth < MAX_DEPTH ? this.readInner(word.value) : undefined;
    this.followed.add(word);
    if (!word.known) return this.unknownWord(word);
    if (commands === undefined) return this.unread();
    this.depth += 1;
    this.commands(commands);
    this.depth -= 1;
  }

  /** Adds files that are run as scripts, whatever their extension. */
  private scripts(words: readonly Word[], program: Word): void {
    for (const word of words) {
      if (!word.known) {
        this.unknownWord(word);
        continue;
      }
      this.runFile(word.value);
      if (interpreterOf(programOf(program.value)) !== undefined) this.folder(word.value);
      this.tell(this.places.isInside(word.value) ? { kind: 'script', text: word.value } : { kind: 'outside', text: word.value });
    }
  }

  /** Adds arguments of programs: files that these may run in turn, but no data files. */
  private operands(args: readonly Word[]): void {
    for (const word of args) {
      if (!word.known) continue;
      const { value } = word;
      const behind = /^-[^=]*=(.+)$/s.exec(value)?.[1] ?? '';
      for (const path of [value, behind]) if (path !== '' && !path.startsWith('-') && !DATA_FILE.test(path)) this.addFile(path);
    }
  }

  private load(word: Word): void {
    if (!word.known) return this.unknownWord(word);
    this.loadedFile(word.value);
    const module = word.value.replaceAll('.', '/');
    for (const path of [word.value, module]) this.folder(path);
    this.loadedFile(module);
    this.tell({ kind: 'script', text: word.value });
  }

  private loadedFile(path: string): void {
    for (const each of pathsThatMayRun([path, `${path}.py`, `${path}.rb`, `${path}/__init__.py`], [])) this.addFile(each);
  }

  private runFile(path: string): void {
    for (const each of path === '' ? [] : pathsThatMayRun([path], [])) {
      this.addFile(each);
      for (const place of this.places.of(each)) this.scriptFiles.add(place);
    }
  }

  private unknownWord(word: Word): void {
    this.tell({ kind: 'word', text: word.written });
    const at = Math.max(word.value.lastIndexOf('/'), 0);
    this.folder(word.value.slice(0, at));
  }

  private projectFiles(name: string, args: readonly Word[]): void {
    const programs = [name, ...args.map(({ value }) => programOf(value))];
    const settings = SETTINGS_FILES.flatMap(({ programs: those, files }) => (programs.some((program) => those.test(program)) ? files : []));
    for (const file of [...settings, ...projectFilesOf(programs)]) for (const path of this.places.above(file)) this.files.add(path);
  }

  private addFile(path: string): void {
    for (const each of this.places.of(path)) this.files.add(each);
  }

  private folder(path: string): void {
    for (const each of this.places.of(path)) if (this.places.isBelowFolder(each)) this.folders.add(each);
  }

  private tell(reason: NotBound): void {
    this.notBound.set(JSON.stringify(reason), reason);
  }
}

/** Where a command goes, if it is one that goes elsewhere. */
function foldersGoneTo(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ value, known }) => known && /^(?:cd|pushd)$/.test(value));
  const before = at === -1 ? [] : words.slice(0, at);
  // Behind a keyword or a wrapper only: in `echo cd x`, nothing goes anywhere, and nothing is lost by taking it for that.
  if (at === -1 || before.length > 3) return [];
  const isPhysical = words.some(({ value }) => /^-[Le@]*P/.test(value));
  const operands = words.slice(at + 1).filter(({ value, known }) => !known || !/^-[LPe@]*$|^--$/.test(value));
  const targets = operands.map((word) => ({ ...word, known: word.known && !isPhysical }));
  return targets.length === 0 ? [{ written: '~', value: '~', known: true }] : targets.slice(0, 1);
}
