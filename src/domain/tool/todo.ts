/** One step of the plan that the user sees. */
export interface TodoItem {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}
