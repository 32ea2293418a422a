import { present } from '../../domain/present.js';
import { readHookFile, type HookFileReading } from '../../config/hooks/read-hook-file.js';
import { isFromRepository } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import { type UrlLimit, forbiddenUrl } from '../../hook/allowed-urls.js';
import type { LayerFile } from '../../node/config/layer-files.js';

/** The hooks of the files of the configuration layers, their settings for all hooks, and the states of everything in them. */
export class FileHooks {
  /** Last valid content of each file, so that a mistake in a file does not turn off guards. */
  private readonly lastGood = new Map<string, HookFileReading>();
  private definitions: readonly HookDefinition[] = [];
  /** Whether a file switches off all hooks but the managed ones. */
  private isOff = false;
  private found: readonly ConfigProblem[] = [];
  /** States of the fields, by file. */
  private fields: ReadonlyMap<string, readonly FieldReport[]> = new Map();
  /** The addresses that hooks may call, by each file that limits them. */
  private limits: readonly UrlLimit[] = [];

  constructor(private readonly platform: NodeJS.Platform) {}

  /** Those that count, in the order of the files. */
  get all(): readonly HookDefinition[] {
    return this.definitions;
  }

  /** Problems of the files, and notes about unexpected behavior. */
  get problems(): readonly ConfigProblem[] {
    return this.found;
  }

  /** States of the fields of a file that are about hooks. @param file absolute path */
  fieldsOf(file: string): readonly FieldReport[] {
    return this.fields.get(file) ?? [];
  }

  /** Those of some hooks that count: hooks that belong to something can be switched off like those of files. */
  counting(hooks: readonly HookDefinition[]): readonly HookDefinition[] {
    return this.isOff ? [] : hooks;
  }

  /** Why a hook may not call an address, as a sentence for users; `undefined`: it may. */
  forbids(url: string): string | undefined {
    return forbiddenUrl(url, this.limits);
  }

  /** Takes the files as they are now. */
  take(files: readonly LayerFile[]): void {
    const readings = files.map((file) => this.readingOf(file));
    this.isOff = readings.some(({ disablesAll }) => disablesAll === true);
    this.definitions = readings.flatMap(({ definitions }) => definitions).filter(({ origin }) => !this.isOff || origin.layer === 'managed');
    this.limits = readings.flatMap(({ allowedUrls }, index) =>
      allowedUrls === undefined ? [] : [{ file: files[index]?.origin.display ?? '', allowed: allowedUrls }],
    );
    this.found = [...readings.flatMap(({ problems }) => problems), ...this.definitions.flatMap((hook) => this.notAllowed(hook))];
    this.fields = new Map(readings.map(({ fields }, index) => [files[index]?.origin.file ?? '', fields]));
  }

  private notAllowed({ handler, origin: { file, line } }: HookDefinition): readonly ConfigProblem[] {
    const message = handler.type === 'http' ? this.forbids(handler.url) : undefined;
    return message === undefined ? [] : [{ file, key: '', ...present({ line }), message, harmless: true }];
  }

  private readingOf(file: LayerFile): HookFileReading {
    const { notice } = file;
    const reading = this.withLastGood(file);
    return notice === undefined || reading.definitions.length === 0
      ? reading
      : { ...reading, problems: [...reading.problems, { file: file.origin.file, key: '', message: notice, harmless: true }] };
  }

  private withLastGood(file: LayerFile): HookFileReading {
    const path = file.origin.file;
    const before = this.lastGood.get(path);
    const reading =
      'problem' in file
        ? { ...NOTHING, problems: [{ file: path, key: '', message: file.problem }] }
        : readHookFile(file.text, file.form, { origin: file.origin, platform: this.platform });
    const isBroken = reading.definitions.length === 0 && reading.problems.some(({ key, harmless }) => key === '' && harmless !== true);
    if (!isBroken) this.lastGood.set(path, reading);
    // What a broken file would limit is not known: then nothing may be called.
    const isEmpty = 'text' in file && file.text.trim() === '';
    if (isBroken && !isEmpty && before === undefined && !isFromRepository(file.origin)) return { ...reading, allowedUrls: [] };
    if (!isBroken || before === undefined) return reading;
    return {
      ...before,
      problems: [...reading.problems, { file: path, key: '', message: t('Until the file is fixed, its hooks apply as they were before.'), harmless: true }],
    };
  }
}

const NOTHING: HookFileReading = { definitions: [], problems: [], fields: [] };
