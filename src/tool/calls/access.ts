import type { Access } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';

/**
 * The accesses to a file: its path as named and, where a link leads elsewhere, the real one that will be touched.
 * With only the first, a link that is changed between planning and judging could have another file judged.
 */
export function fileAccess(kind: 'read' | 'write', location: FileLocation): readonly Access[] {
  const named: Access = { kind, target: location.path };
  return location.real === location.path ? [named] : [named, { kind, target: location.real }];
}
