import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';

/** A file that can have hooks, as it was read. */
interface FileWithHooks {
  readonly origin: ConfigOrigin;
  readonly hooks: readonly HookDefinition[];
}

/**
 * The hooks of files that are read again whenever they change. Those of a file that cannot be used stay as they were: a mistake does not switch off what
 * guards.
 */
export class LastHooks {
  private byFile: ReadonlyMap<string, readonly HookDefinition[]> = new Map();
  private kept: readonly string[] = [];

  get all(): readonly HookDefinition[] {
    return [...this.byFile.values()].flat();
  }

  /** Says of which files hooks apply that are not in them now. */
  get problems(): readonly ConfigProblem[] {
    return this.kept.map((file) => ({ file, key: '', message: t('Until the file is fixed, its hooks apply as they were before.'), harmless: true }));
  }

  /** Takes the files as they are now. @param broken absolute paths of those that are there, and cannot be used */
  take(files: readonly FileWithHooks[], broken: readonly string[]): void {
    const before = broken.flatMap((file) => {
      const hooks = this.byFile.get(file) ?? [];
      return hooks.length === 0 ? [] : [[file, hooks] as const];
    });
    this.kept = before.map(([file]) => file);
    this.byFile = new Map([...files.map(({ origin, hooks }) => [origin.file, hooks] as const), ...before]);
  }
}
