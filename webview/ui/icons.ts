/** Pictures of 16 × 16 as paths to be stroked, drawn for this panel. */
export const ICONS = {
  add: 'M8 3v10M3 8h10',
  attach: 'M11.5 6.5 6.9 11a1.8 1.8 0 0 1-2.6-2.5l5-5a2.9 2.9 0 0 1 4.1 4.1l-5.2 5.2',
  back: 'M13 8H3.5M7.5 4l-4 4 4 4',
  blocked: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM4.2 4.2l7.6 7.6',
  check: 'm3.5 8.5 3 3 6-7',
  chevron: 'm6 4 4 4-4 4',
  close: 'm4 4 8 8M12 4l-8 8',
  down: 'M8 3v9.5M4 8.5l4 4 4-4',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3 3 13Z',
  error: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM6 6l4 4M10 6l-4 4',
  fold: 'M8 2v4M6 4.2l2 2 2-2M8 14v-4M6 11.8l2-2 2 2M3 8h10',
  history: 'M2.5 8a5.5 5.5 0 1 1 1.7 4M2.5 12.5V9.3h3.2M8 5v3.2l2.2 1.4',
  info: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 7.2v3.6M8 5v.4',
  pending: 'M8 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7Z',
  question: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM6.3 6.4a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 10.9v.3',
  restore: 'M5.5 3 2.5 6l3 3M2.5 6H9a3.5 3.5 0 0 1 0 7H5.5',
  running: 'M8 2.5A5.5 5.5 0 1 1 2.5 8',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  shield: 'M8 2.2c1.6 1.2 3.2 1.7 4.9 1.8.2 4.6-1.3 7.8-4.9 9.8-3.6-2-5.1-5.2-4.9-9.8 1.7-.1 3.3-.6 4.9-1.8Z',
  stop: 'M4.5 4.5h7v7h-7z',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.5M9.2 7v3.5',
  warning: 'M8 2.8 14 13H2L8 2.8ZM8 6.7v3M8 11.2v.3',
} as const;

/** Name of a picture. */
export type IconName = keyof typeof ICONS;
