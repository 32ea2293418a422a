import type { ComposerMessage, FillForm, MentionOffer } from '../../../src/protocol/host/composer-messages.js';
import type { Host } from '../connection/host.js';

/** Milliseconds that typing rests before suggestions are asked for. */
const REST_MS = 150;

/** Messages about the form. */
export type FormNews = Extract<ComposerMessage, { type: 'fill_form' | 'form_suggestions' | 'form_progress' | 'form_problem' | 'form_done' }>;

/** Suggestions for the field that is being written. */
interface Suggested {
  readonly field: number;
  readonly values: readonly string[];
}

/** The form for the blanks of a prompt, or of the address of a resource. It stands in the place of what is written, which stays. */
export class FillFormState {
  /** The form; `undefined` when there is none. */
  form = $state.raw<FillForm | undefined>();
  values = $state.raw<readonly string[]>([]);
  /** Whether what the form names may run without a question; counts only where it asks. */
  allow = $state(false);
  /** Why what was filled in could not be used. */
  problem = $state('');
  /** Progress of the submitted form; empty for none. */
  waiting = $state('');
  suggested = $state.raw<Suggested>({ field: -1, values: [] });
  private request = 0;
  private asked = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {}

  /** Asks for the blanks of an address. */
  openTemplate({ server, uriTemplate }: Exclude<MentionOffer['template'], undefined>): void {
    this.host.post({ type: 'open_template', server, uriTemplate });
  }

  /** Takes what the host says. Returns what is to be added to the text, when that is known. */
  receive(message: FormNews): string | undefined {
    if (message.type === 'fill_form') {
      this.show(message.form);
      return undefined;
    }
    if (message.form !== this.form?.id) return undefined;
    switch (message.type) {
      case 'form_suggestions':
        if (message.request === this.request) this.suggested = { field: this.asked, values: message.values };
        return undefined;
      case 'form_progress':
        if (this.waiting !== '') this.waiting = message.text;
        return undefined;
      case 'form_problem':
        this.waiting = '';
        this.problem = message.reason;
        return undefined;
      case 'form_done':
        this.show(undefined);
        return message.insert;
    }
  }

  /** The user writes in a field. */
  write(field: number, value: string): void {
    this.values = this.values.with(field, value);
    this.look(field);
  }

  /** Looks for suggestions for a field, in a moment. */
  look(field: number): void {
    this.unlook();
    if (this.form?.suggests === true) this.timer = setTimeout(() => this.suggest(field), REST_MS);
  }

  /** Nothing is suggested any more. */
  unlook(): void {
    clearTimeout(this.timer);
    this.request += 1;
    this.suggested = { field: -1, values: [] };
  }

  /** Takes a suggestion. */
  pick(field: number, value: string): void {
    this.values = this.values.with(field, value);
    this.unlook();
  }

  /** Submits what is filled in. */
  submit(waiting: string): void {
    if (this.form === undefined || this.waiting !== '') return;
    this.unlook();
    this.problem = '';
    this.waiting = waiting;
    const asks = asksToAllow(this.form);
    this.host.post({ type: 'submit_form', form: this.form.id, values: this.values, ...(asks ? { allow: this.allow } : {}) });
  }

  /** Closes the form without anything coming of it. */
  cancel(): void {
    if (this.form === undefined) return;
    this.host.post({ type: 'cancel_form', form: this.form.id });
    this.show(undefined);
  }

  private show(form: FillForm | undefined): void {
    this.unlook();
    this.form = form;
    this.values = form?.fields.map(({ value }) => value) ?? [];
    this.allow = form?.preview?.allows?.state === 'approved';
    this.problem = '';
    this.waiting = '';
  }

  private suggest(field: number): void {
    if (this.form === undefined) return;
    this.asked = field;
    this.host.post({ type: 'suggest_value', form: this.form.id, request: this.request, field, values: this.values });
  }
}

/** Whether a form asks the user to allow something. */
export function asksToAllow({ preview }: FillForm): boolean {
  const state = preview?.allows?.state;
  return state === 'waits' || state === 'changed' || state === 'approved';
}
