import type { ServiceName } from './service-names.ts';

/** Options of a system; only the data directory is required. */
export type SystemOptions = {
  readonly dataDir: string;
  /** Where the gateway listens; default 127.0.0.1. */
  readonly host?: string;
  /** The gateway's port; default 0, a free one. */
  readonly port?: number;
  readonly mode?: 'local_trusted' | 'authenticated';
  /** An existing PostgreSQL; default: the embedded one, in the data directory. */
  readonly databaseUrl?: string;
  /** Further variables of the contract by name, secrets among them. */
  readonly env?: Readonly<Record<string, string>>;
  /** More variables for the processes of single services. */
  readonly serviceEnv?: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;
  /** The number of processes of each service; default 1. */
  readonly replicas?: Readonly<Partial<Record<ServiceName, number>>>;
  /**
   * True: every process calls all processes of the other services. Default: number i calls number i (modulo their
   * count), so that two gateways use two separate sets of services.
   */
  readonly isMeshed?: boolean;
  /** Where the services' folders are; default: those of this repository. */
  readonly servicesDir?: string;
  /** The services that run from their sources also where a bundle was made of them, for what replaces modules of theirs. */
  readonly runFromSources?: readonly ServiceName[];
  /** True builds the console and the packages where they are missing or stale; default: they are used as they are. */
  readonly buildsServedFiles?: boolean;
  /** False trades durability of the embedded PostgreSQL for speed; for tests only. */
  readonly fsync?: boolean;
  /** Receives progress, line by line. */
  readonly log?: (line: string) => void;
  /** Receives the output of the services; default: standard error. */
  readonly output?: (text: string) => void;
  /** Receives the one-time link that creates the first operator. */
  readonly onSetupLink?: (url: string) => void;
  /** Aborts the start and stops what already runs. */
  readonly signal?: AbortSignal;
};

/** One process as it is now; a restart changes the `pid` (null meanwhile), never the port. */
export type SystemProcess = {
  readonly name: ServiceName | 'postgres';
  readonly pid: number | null;
  readonly port: number;
};

/** A system that is ready. */
export type RunningSystem = {
  /** The first gateway's URL. */
  readonly baseUrl: string;
  /** The administrator's URL of the database. */
  readonly databaseUrl: string;
  readonly processes: readonly SystemProcess[];
  /** Stops everything, gateway first, PostgreSQL last; may be called again. */
  readonly stop: () => Promise<void>;
};
