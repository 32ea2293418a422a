import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import type { Candidate } from './choose-value.js';
import { NOTHING, readSettings, type SettingsReading, type SettingsValue } from './read-settings.js';
import { SETTING_KEYS, type SettingKey } from './setting-keys.js';

/** A settings file: its text, or why it cannot be read. */
export type SettingsFile = { readonly origin: ConfigOrigin } & ({ readonly text: string } | { readonly problem: string });

interface ReadFile {
  readonly origin: ConfigOrigin;
  readonly reading: SettingsReading;
  /** Last valid values of the file's settings; current ones replace them. */
  readonly lastGood: ReadonlyMap<string, SettingsValue>;
}

/**
 * The settings in files, as they were taken last. A file that becomes invalid keeps what it made stricter, so that a mistake in it does not
 * permit anything.
 */
export class FileValues {
  private files: readonly ReadFile[] = [];

  /** Problems of the files that concern settings or a file as a whole. */
  get problems(): readonly ConfigProblem[] {
    return this.files.flatMap(({ origin, reading, lastGood }) => {
      const isKept = reading.isDamaged && SETTING_KEYS.some(({ setting, isAsStrict }) => isAsStrict !== undefined && lastGood.has(setting));
      return [
        ...reading.problems,
        ...(isKept ? [{ file: origin.file, key: '', message: t('Until the file is fixed, only what it made stricter counts.'), harmless: true as const }] : []),
      ];
    });
  }

  /** Takes the files as they are now, in the order in which they count within a layer. */
  take(files: readonly SettingsFile[]): void {
    const before = new Map(this.files.map((file) => [file.origin.file, file.lastGood]));
    this.files = files.map((file) => {
      const reading = readingOf(file);
      return { origin: file.origin, reading, lastGood: new Map([...kept(reading, before.get(file.origin.file)), ...reading.values]) };
    });
  }

  /** The values for a setting, in the order of the files. */
  candidates({ setting, isAsStrict }: SettingKey): readonly Candidate[] {
    return this.files.flatMap(({ origin, reading, lastGood }): readonly Candidate[] => {
      const now = reading.values.get(setting);
      if (now !== undefined) return [{ origin: at(origin, now), value: now.value }];
      const before = isAsStrict === undefined ? undefined : lastGood.get(setting);
      return before === undefined ? [] : [{ origin: at(origin, before), value: before.value, isFromBefore: true }];
    });
  }
}

function readingOf(file: SettingsFile): SettingsReading {
  if ('text' in file) return readSettings(file.text, file.origin);
  return { ...NOTHING, problems: [{ file: file.origin.file, key: '', message: file.problem }], isDamaged: true };
}

/** Earlier values of a file to keep: those that have no valid value now. */
function kept({ isDamaged, unusable }: SettingsReading, before: ReadonlyMap<string, SettingsValue> | undefined): readonly (readonly [string, SettingsValue])[] {
  return [...(before ?? [])].filter(([setting]) => isDamaged || unusable.has(setting));
}

function at(origin: ConfigOrigin, { line }: SettingsValue): ConfigOrigin {
  return line === undefined ? origin : { ...origin, line };
}
