import { anyOf } from '../any-of.js';
import type { Word } from './word.js';

/** Working directories that are followed. */
const MAX_PLACES = 16;
/** Where programs are installed by the system (FHS 3.0; Homebrew; Nix), which no workspace is in. */
const SYSTEM = new RegExp(
  `^(?:${anyOf(
    /\/(?:usr\/(?:local\/)?)?s?bin\//,
    /\/opt\/homebrew\/bin\/|\/run\/current-system\/sw\/bin\/|\/nix\/store\//,
    /[A-Za-z]:[\\/](?:Windows|Program Files(?: \(x86\))?)[\\/]/,
  )})`,
  'i',
);

/** The folders that a line may work in, and what paths mean in each. Paths are relative to the workspace folder where they lie in it. */
export class Places {
  private readonly folder: string;
  private readonly all: string[] = [];

  constructor(
    folder: string,
    cwd: string,
    private readonly home: string,
  ) {
    this.folder = slashed(folder).replace(/\/+$/, '');
    this.all.push(this.normal(cwd));
  }

  /** Adds where a line goes, from each place where it may be by then. @param unclear called with targets that are not known, or are too many */
  follow(targets: readonly Word[], unclear: (word: Word) => void): void {
    for (const target of targets) {
      if (!target.known || this.all.length > MAX_PLACES) {
        unclear(target);
        continue;
      }
      const path = target.value === '~' ? this.home : target.value;
      const reached = this.all.map((place) => this.joined(place, path));
      for (const place of reached) if (!this.all.includes(place)) this.all.push(place);
    }
  }

  /** Resolves a path from each possible working directory. */
  of(path: string): readonly string[] {
    // The system follows links before it goes up; shells do so only when they change the folder.
    const goesUp = /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
    const raw = (place: string): string => (isAbsolute(path) || place === '' ? slashed(path) : `${place}/${slashed(path)}`);
    return [...new Set(this.all.flatMap((place) => [this.joined(place, path), ...(goesUp ? [raw(place)] : [])]))];
  }

  /** A file in each place and in the folders above it, up to the workspace folder. */
  above(file: string): readonly string[] {
    return [...new Set(this.all.flatMap((place) => [...upwards(place), ''].map((folder) => this.joined(folder, file))))];
  }

  /** Whether a path lies in the workspace folder, from some place. */
  isInside(path: string): boolean {
    return this.of(path).some((each) => !isAbsolute(each) && !/^\.\.(?:\/|$)/.test(each));
  }

  /** Whether a path, normal, is below the workspace folder: not that folder, and not outside. */
  isBelowFolder(path: string): boolean {
    return path !== '' && !isAbsolute(path) && !/^\.\.(?:\/|$)/.test(path);
  }

  /** Whether a path names a program of the system. */
  isSystem(path: string): boolean {
    const { folder } = this;
    return SYSTEM.test(path) && !/[\\/]\.\.[\\/]/.test(path) && !SYSTEM.test(`${folder}/`);
  }

  private joined(place: string, path: string): string {
    return this.normal(isAbsolute(path) || place === '' ? path : `${place}/${path}`);
  }

  /** Without `.` and `..` where these can be left out by the text, and relative to the workspace folder. */
  private normal(path: string): string {
    const text = slashed(path);
    const names: string[] = [];
    const start = /^(?:[A-Za-z]:)?\/*/.exec(text)?.[0] ?? '';
    for (const name of text.slice(start.length).split('/')) {
      if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
      else if (name !== '' && name !== '.' && !(name === '..' && start !== '')) names.push(name);
    }
    const whole = `${start.replace(/\/+$/, '/')}${names.join('/')}`;
    if (whole === this.folder) return '';
    return whole.startsWith(`${this.folder}/`) ? whole.slice(this.folder.length + 1) : whole;
  }
}

function slashed(path: string): string {
  return /^[A-Za-z]:[\\/]|^\.{0,2}\\|^[\w.-]+\\/.test(path) ? path.replaceAll('\\', '/') : path;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path);
}

function upwards(folder: string): readonly string[] {
  const names = isAbsolute(folder) ? [] : folder.split('/').filter((name) => name !== '');
  return isAbsolute(folder) ? [folder] : names.map((_, index) => names.slice(0, names.length - index).join('/'));
}
