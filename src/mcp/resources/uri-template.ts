/**
 * Addresses with blanks (RFC 6570, up to level 3 and the prefix modifier; values are texts, so that `*` means nothing). Own code: the
 * official client has its own, which is loaded with the first connection and packages for it are
 * larger than this.
 */
const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;
/** A name with its modifiers. Names are what the RFC allows, and the hyphen, which servers write anyway. */
const VARIABLE = /^((?:[\w.-]|%[0-9A-Fa-f]{2})+)(?:\*|:(\d{1,4}))?$/;
/** Blanks of one template. */
const MAX_BLANKS = 20;

/** Expansion rules of the operators of RFC 6570 (section 3.2.1 and the table of appendix A). */
const FORMS: Readonly<Record<string, { readonly first: string; readonly between: string; readonly named: boolean; readonly reserved: boolean }>> = {
  '': { first: '', between: ',', named: false, reserved: false },
  '+': { first: '', between: ',', named: false, reserved: true },
  '#': { first: '#', between: ',', named: false, reserved: true },
  '.': { first: '.', between: '.', named: false, reserved: false },
  '/': { first: '/', between: '/', named: false, reserved: false },
  ';': { first: ';', between: ';', named: true, reserved: false },
  '?': { first: '?', between: '&', named: true, reserved: false },
  '&': { first: '&', between: '&', named: true, reserved: false },
};

/** A blank of a template. */
export interface TemplateBlank {
  readonly name: string;
  /** Whether the address means something else without it: all but those of a query, which may be left out. */
  readonly required: boolean;
}

/** The blanks of a template in their order, each once. */
export function blanksOf(template: string): readonly TemplateBlank[] {
  const found = new Map<string, TemplateBlank>();
  for (const [, operator = '', list = ''] of template.matchAll(EXPRESSION)) {
    for (const { name } of variablesIn(list)) {
      const required = !['?', '&', ';', '#'].includes(operator) || found.get(name)?.required === true;
      found.set(name, { name, required });
    }
  }
  return [...found.values()].slice(0, MAX_BLANKS);
}

/** A template with its blanks filled in; one without a value is left out, as the RFC has it. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_whole, operator: string, list: string) => {
    const form = FORMS[operator];
    if (form === undefined) return '';
    const parts = variablesIn(list).flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
      if (value === '') return [];
      const written = encoded(length === undefined ? value : Array.from(value).slice(0, length).join(''), form.reserved);
      return [form.named ? `${name}=${written}` : written];
    });
    return parts.length === 0 ? '' : form.first + parts.join(form.between);
  });
}

function variablesIn(list: string): readonly { readonly name: string; readonly length: number | undefined }[] {
  return list.split(',').flatMap((each) => {
    const [, name, length] = VARIABLE.exec(each.trim()) ?? [];
    return name === undefined ? [] : [{ name, length: length === undefined ? undefined : Number(length) }];
  });
}

/** Percent-encoded but for unreserved characters; `reserved` ones, and what is encoded already, stay where they are allowed. */
function encoded(value: string, reserved: boolean): string {
  const whole = value.toWellFormed();
  if (!reserved) return strict(whole);
  return whole.replace(/%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/g, (part) =>
    /^(?:%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=])$/.test(part) ? part : strict(part),
  );
}

/** `encodeURIComponent` leaves a few reserved characters alone. */
function strict(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
