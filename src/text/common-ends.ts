/** Length of the common head of two lists, or of two texts in code units. */
export function commonHead(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  return head;
}

/** Length of their common tail, apart from a head that both have. */
export function commonTail(a: ArrayLike<unknown>, b: ArrayLike<unknown>, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let tail = 0;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return tail;
}

/** Lengths of the common head and tail of two texts, without halves of a CRLF or of a surrogate pair. */
export function commonEnds(a: string, b: string): { readonly head: number; readonly tail: number } {
  let head = commonHead(a, b);
  if (divides(a, head) || divides(b, head)) head -= 1;
  const tail = commonTail(a, b, head);
  const cuts = divides(a, a.length - tail) || divides(b, b.length - tail);
  return { head, tail: cuts ? tail - 1 : tail };
}

/** Whether an offset lies inside a CRLF or a surrogate pair. */
function divides(text: string, offset: number): boolean {
  return /^(\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(offset - 1, 0), offset + 1));
}
