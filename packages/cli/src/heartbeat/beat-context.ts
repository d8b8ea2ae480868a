import type { ApiClient } from '@commonplace/client';
import type { Environment } from '@commonplace/config';
import type { StopSignals } from './stop-signals.ts';

/** What every beat of this process shares. */
export type BeatContext = {
  /** Speaks with the agent's key. */
  readonly api: ApiClient;
  readonly baseUrl: string;
  /** The variables of this process, of which a command gets a few. */
  readonly environment: Environment;
  readonly signals: StopSignals;
  /** One line for people, on standard error. Never holds a credential. */
  readonly say: (line: string) => void;
};
