import { rm } from 'node:fs/promises';
import { startSystem, type RunningSystem, type SystemOptions } from '@commonplace/standalone';
import {
  assertDocumented,
  createTestDatabase,
  makeOwnDirectory,
  testPasswordVariables,
} from '@commonplace/testkit';
import { createApi, type Api, type ApiResponse } from './call-api.ts';
import { signIn } from './sign-in.ts';

/** The first operator of systems in authenticated mode. */
export const administrator = {
  email: 'board@example.org',
  password: 'seven grey herons waiting',
} as const;

export type TestSystem = {
  readonly baseUrl: string;
  readonly system: RunningSystem;
  /** The output of all processes so far, mostly log lines. */
  readonly output: () => string;
  /** What the processes wrote so far is of test files before this one. */
  readonly forgetOutput: () => void;
  /** A client with these headers; every response is checked against the OpenAPI document. */
  readonly as: (headers: Readonly<Record<string, string>>) => Api;
  /** The headers of the board: none in local trusted mode, the session of the first operator otherwise. */
  readonly boardHeaders: () => Promise<Readonly<Record<string, string>>>;
  readonly stop: () => Promise<void>;
};

/** Every response must be declared, for every caller. */
export const inspectResponse = (response: ApiResponse): void => {
  assertDocumented({
    method: response.method,
    path: response.path,
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    body: response.body,
    headers: Object.fromEntries(response.headers),
  });
};

const endAtOnce = new URL('./end-at-once.mjs', import.meta.url).href;
const cheapPasswords = new URL('./cheap-passwords.mjs', import.meta.url).href;

type ServiceEnv = NonNullable<SystemOptions['serviceEnv']>;

/** The variables of each process, in which our modules are loaded first. */
const withModules = (given: ServiceEnv = {}): ServiceEnv =>
  Object.fromEntries(
    (['auth', 'agents', 'notes', 'gateway'] as const).map((name) => {
      const modules = name === 'auth' ? [endAtOnce, cheapPasswords] : [endAtOnce];
      const { NODE_OPTIONS = '', ...variables } = given[name] ?? {};
      const imports = modules.map((module) => `--import=${module}`);
      return [name, { ...variables, NODE_OPTIONS: [...imports, NODE_OPTIONS].join(' ').trim() }];
    }),
  );

type Mode = NonNullable<SystemOptions['mode']>;

/** The runner of the tests keeps these outputs if a test of the file fails. */
export const keepOutput = (output: TestSystem['output']): void => {
  const outputs = Reflect.get(globalThis, Symbol.for('commonplace.outputs')) as
    | Set<TestSystem['output']>
    | undefined;
  outputs?.add(output);
};

/** Starts all processes on a database of the test file. Stop it in `afterAll`. */
export const startTestSystem = async (
  mode: Mode,
  options: Partial<SystemOptions> = {},
): Promise<TestSystem> => {
  const database = await createTestDatabase();
  const dataDir = await makeOwnDirectory();
  const written: string[] = [];
  const output = () => written.join('');
  keepOutput(output);
  const system = await startSystem({
    dataDir,
    mode,
    databaseUrl: database.adminUrl,
    output: (text) => void written.push(text),
    ...options,
    serviceEnv: withModules(options.serviceEnv),
    env: {
      LOG_LEVEL: 'info',
      ...(database.isCitus ? { DATABASE_CITUS: 'on' } : {}),
      ...testPasswordVariables,
      ...(mode === 'authenticated'
        ? {
            BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
            BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
          }
        : {}),
      ...options.env,
    },
  });
  const { baseUrl } = system;
  return {
    baseUrl,
    system,
    output,
    forgetOutput: () => void written.splice(0),
    as: (headers) => createApi({ baseUrl, headers, inspect: inspectResponse }),
    boardHeaders: async () =>
      mode === 'authenticated' ? signIn({ baseUrl, ...administrator }) : {},
    stop: async () => {
      const services = system.processes.filter(({ name }) => name !== 'postgres');
      services.forEach(({ pid }) => pid !== null && process.kill(pid, 'SIGUSR2'));
      await system.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database.drop();
    },
  };
};
