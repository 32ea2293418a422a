import type { LineRegion, LineShift } from '../../inline-edit/line-edit.js';
import { movedRegion } from '../../inline-edit/line-edit.js';

/** Where the lines of a finding are after an edit. When all are deleted, lines inserted in their place count as them. */
export function followed(region: LineRegion, shift: LineShift): LineRegion {
  const refilled = region.start === region.end && shift.start === region.start && shift.end === region.end;
  return refilled ? { start: region.start, end: region.end + shift.count } : movedRegion(region, shift);
}
