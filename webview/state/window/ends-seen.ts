/** A box of a permission prompt: what runs or changes, the single commands of a command line, how a tool has changed, and one of several changes. */
export type PromptBox = 'subject' | 'parts' | 'definition' | `change-${number}`;

/** Of each box that said so: whether its end was on screen (`true`, for good) or was out of sight so far. */
export type EndsSeen = Readonly<Partial<Record<PromptBox, boolean>>>;

/** Takes what a box says. One whose end was on screen stays seen when it is scrolled back. */
export function withReport(ends: EndsSeen, box: PromptBox, seen: boolean): EndsSeen {
  return ends[box] === true ? ends : { ...ends, [box]: seen };
}

/** Whether the end of every one of these boxes was on screen. One that has said nothing yet was not. */
export function allSeen(ends: EndsSeen, boxes: readonly PromptBox[]): boolean {
  return boxes.every((box) => ends[box] === true);
}

/** Whether the end of one of these boxes is known to be out of sight. */
export function someOutOfSight(ends: EndsSeen, boxes: readonly PromptBox[]): boolean {
  return boxes.some((box) => ends[box] === false);
}
