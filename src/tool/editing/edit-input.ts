/**
 * The arguments of `edit` in the form of its schema. Models also write the only edit without a list, one edit instead
 * of a list, and the list as a JSON text; what is meant is clear then.
 */
export function adaptEditInput(args: unknown): unknown {
  if (!isRecord(args)) return args;
  const { edits, old_string, new_string, replace_all, ...rest } = args;
  if (edits !== undefined && !isEmptyList(edits)) return { ...args, edits: asList(parsed(edits)) };
  // With nothing given, the schema says what one edit must have.
  return { ...rest, edits: [{ old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) }] };
}

function asList(edits: unknown): unknown {
  return isRecord(edits) ? [edits] : edits;
}

function isEmptyList(edits: unknown): boolean {
  return Array.isArray(edits) && edits.length === 0;
}

function parsed(edits: unknown): unknown {
  if (typeof edits !== 'string') return edits;
  try {
    return JSON.parse(edits) as unknown;
  } catch {
    // Not JSON: the schema says that a list is wanted.
    return edits;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
