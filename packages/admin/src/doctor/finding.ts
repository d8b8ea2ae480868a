/** What one check found; `todo` says how to mend it. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failure' | 'skipped';
  readonly detail: string;
  readonly todo?: string;
};

/** A deployment as its environment describes it. */
export type Deployment = {
  /** Where clients find the gateway. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** A superuser's URL; null when the database cannot be reached from here. */
  readonly adminUrl: string | null;
  /** Where `pnpm start` keeps its data; null for a deployment that an .env file describes. */
  readonly dataDir: string | null;
  /** Whether no secret is there yet because the first `pnpm start` makes them: no variable names one, not even an empty one. */
  readonly isBeforeFirstStart: boolean;
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
