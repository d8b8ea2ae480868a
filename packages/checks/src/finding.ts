/** The result of one check of the doctor; `todo` says how to fix it. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failure' | 'skipped';
  readonly detail: string;
  readonly todo?: string;
};

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });

export const skipped = (check: string, detail: string): Finding => ({
  check,
  state: 'skipped',
  detail,
});

export const failure = (check: string, detail: string, todo: string): Finding => ({
  check,
  state: 'failure',
  detail,
  todo,
});

export const warning = (check: string, detail: string, todo: string): Finding => ({
  check,
  state: 'warning',
  detail,
  todo,
});
