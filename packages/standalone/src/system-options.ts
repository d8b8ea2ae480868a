import type { ServiceName } from './service-names.ts';

/** What may be chosen about a system. Only the data directory must be. */
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
  /** How many processes of each service; default 1. */
  readonly replicas?: Readonly<Partial<Record<ServiceName, number>>>;
  /**
   * True: every process reaches all processes of the others. Default: number i reaches number i (modulo
   * their count), so that two gateways have two different copies of everything behind them.
   */
  readonly isMeshed?: boolean;
  /** Where the services' folders are; default: those of this repository. */
  readonly servicesDir?: string;
  /** True builds the operators' console where it is missing or stale; default: it is taken as it is. */
  readonly buildConsole?: boolean;
  /** False gives up durability of the embedded PostgreSQL for speed: for tests only. */
  readonly fsync?: boolean;
  /** Gets one line for each thing that happens. */
  readonly log?: (line: string) => void;
  /** Gets what the services write; default: standard error. */
  readonly output?: (text: string) => void;
  /** Gets the one-time link with which the first operator is made. */
  readonly onSetupLink?: (url: string) => void;
  /** Gives up the start and takes down what runs already. */
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
