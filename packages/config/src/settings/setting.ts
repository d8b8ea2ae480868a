import type { z } from 'zod';

/** The processes that may read a setting. */
export const readers = ['gateway', 'auth', 'agents', 'notes'] as const;

export type Reader = (typeof readers)[number];

/** An environment variable. */
export type Setting = {
  /** What its text must be, and what it becomes. */
  readonly field: z.ZodType<unknown, string>;
  /** As text. Without one an absent setting is undefined. */
  readonly default?: string;
  /** The default in docker-compose, if it is another one: an empty value is then an error, not an absent one. */
  readonly containerDefault?: string;
  /** A service does not start without it; `pnpm start` makes one. */
  readonly isRequired?: true;
  /** It can be in a file as well. */
  readonly isSecret?: true;
  /** Under `pnpm start` and in docker-compose no other process is given it. Empty: only they themselves use it. */
  readonly readBy: readonly Reader[];
  /** For .env.example. Without one that of the setting before it counts for both; null: it is not a setting there. */
  readonly comment?: string | null;
};

/** Settings in one row of docs/configuration.md. */
export type SettingRow = {
  /** Markdown. */
  readonly about: string;
  /** The defaults in words, where they are not those of the settings. */
  readonly defaults?: string;
  readonly settings: Readonly<Record<string, Setting>>;
};
