/** The result of one check; `todo` says how to fix it. */
export type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failure' | 'skipped';
  readonly detail: string;
  readonly todo?: string;
};

/** A deployment as its environment describes it. */
export type Deployment = {
  /** The URL of the gateway. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** A superuser's connection URL; null if there is none. */
  readonly adminUrl: string | null;
  /** The data directory of `pnpm start`; null for a deployment that an .env file describes. */
  readonly dataDir: string | null;
  /** Whether there are no secrets yet because the first `pnpm start` creates them: no variable of one is set, not even empty. */
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
