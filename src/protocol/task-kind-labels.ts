import type { TaskKind } from '../domain/model/task-kind.js';
import { t } from './l10n.js';

export { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';

/** What a kind of task is called. */
export function taskKindLabel(kind: TaskKind): string {
  return {
    boilerplate: t('Boilerplate'),
    generation: t('Generation'),
    refactor: t('Refactor'),
    review: t('Code review'),
    unit_test: t('Unit test'),
    planning: t('Planning'),
    orchestration: t('Orchestration'),
    security_review: t('Security review'),
    debug: t('Debug'),
    explain: t('Explain'),
  }[kind];
}
