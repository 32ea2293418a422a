import type { OutputStyleReading } from '../config/output-styles/read-output-style.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { OutputStyle } from '../domain/config/skill.js';
import type { Log } from '../domain/log.js';
import { readStyleFiles, stylePaths } from '../node/config/style-files.js';
import type { ConfigPlaces } from './places.js';
import type { NamedBySetting } from './settings.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import { WatchedSet } from './watched-set.js';
import { type DecidingStyle, decidingStyle, wantsNone } from './deciding-style.js';

/** Services that find output style files, and the settings that name the style in effect. */
export interface OutputStylesDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: ConfigPlaces;
  /** The styles that settings name, the strongest first. */
  readonly wanted: () => readonly NamedBySetting[];
  readonly log: Log;
}

/** The output styles of this window: those of the user, and where the workspace is trusted its own, which go before them. Read when one is first asked for. */
export class OutputStyles extends WatchedSet<readonly OutputStyleReading[]> {
  constructor(private readonly deps: OutputStylesDeps) {
    super({ ...deps, failure: 'Output styles could not be read' });
  }

  /** Those that can be chosen, each name once. */
  get styles(): readonly OutputStyle[] {
    const usable = this.current.flatMap(({ style }) => style ?? []).filter(({ origin }) => this.deps.ports.trust.trusted() || !isFromRepository(origin));
    const strongestFirst = [...usable.filter(({ origin }) => isFromRepository(origin)), ...usable.filter(({ origin }) => !isFromRepository(origin))];
    return [...new Map(strongestFirst.reverse().map((style) => [style.name.toLowerCase(), style])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Those of a workspace that is not trusted, for the user to see: nothing else knows of them. */
  get waiting(): readonly OutputStyle[] {
    return this.deps.ports.trust.trusted() ? [] : this.current.flatMap(({ style }) => style ?? []).filter(({ origin }) => isFromRepository(origin));
  }

  /** Problems of the files. */
  get problems(): readonly ConfigProblem[] {
    return this.current.flatMap(({ problems }) => problems);
  }

  /** The style that counts: the first of those that settings name that there is, unless a stronger setting wants none. Does not reject. */
  async chosen(): Promise<OutputStyle | undefined> {
    return (await this.decided())?.style;
  }

  /** The setting that decides, with its style. Does not reject. */
  async decided(): Promise<DecidingStyle | undefined> {
    const wanted = this.deps.wanted();
    if (!wantsNone(wanted)) await this.ready();
    return decidingStyle(wanted, this.styles);
  }

  protected watched(): WatchedFiles {
    return stylePaths(this.deps.places.own);
  }

  protected async readFiles(signal: AbortSignal): Promise<readonly OutputStyleReading[]> {
    const files = await readStyleFiles(this.deps.places.forOwn(), signal);
    return files.length === 0 ? [] : readingsOf(files);
  }

  protected override get current(): readonly OutputStyleReading[] {
    return super.current ?? [];
  }
}

/** With the first of them: it brings the reader of YAML along. */
async function readingsOf(files: Awaited<ReturnType<typeof readStyleFiles>>): Promise<readonly OutputStyleReading[]> {
  const { readOutputStyle } = await import('../config/output-styles/read-output-style.js');
  return files.map((file) =>
    'problem' in file
      ? { skipped: file.problem, problems: [{ file: file.origin.file, key: '', message: file.problem }] }
      : readOutputStyle(file.text, { origin: file.origin }),
  );
}
