import type { WireEvent } from './wire.js';

/** How an event stream is written; every form is allowed by the standard and must read the same. */
export interface SseStyle {
  /** Default: line feed. */
  readonly eol?: '\n' | '\r\n' | '\r';
  /** Comment lines between the events. */
  readonly comments?: boolean;
  /** `data:{…}` instead of `data: {…}`. */
  readonly noSpace?: boolean;
  /** A byte-order mark before the first event. */
  readonly bom?: boolean;
  /** The JSON of each event over several `data` lines. */
  readonly multiLine?: boolean;
  /** `ping` events between the events. */
  readonly pings?: boolean;
  /** No `event` lines, as some gateways write it: the type is in the JSON alone. */
  readonly dataOnly?: boolean;
}

/** One event in SSE form. */
export function sseFrame(event: WireEvent, style: SseStyle = {}): string {
  const eol = style.eol ?? '\n';
  const space = style.noSpace === true ? '' : ' ';
  const json = style.multiLine === true ? JSON.stringify(event, undefined, 1) : JSON.stringify(event);
  const data = json.split('\n').map((line) => `data:${space}${line}${eol}`);
  const comment = style.comments === true ? `: keep-alive${eol}:${eol}` : '';
  const nameOf = (type: string): string => (style.dataOnly === true ? '' : `event:${space}${type}${eol}`);
  const ping = style.pings === true ? `${nameOf('ping')}data:${space}{"type":"ping"}${eol}${eol}` : '';
  return `${comment}${ping}${nameOf(event.type)}${data.join('')}${eol}`;
}
