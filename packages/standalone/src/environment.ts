import {
  acceptedConfiguration,
  databaseConnections,
  embeddingsFields,
  embeddingsIncomplete,
  isEmbeddingsComplete,
  isLoopback,
  listOf,
  logLevel,
  network,
  origin,
  port,
  postgresUrl,
  secretList,
  signInFields,
  signInProblems,
  tracingFields,
  wholeNumber,
} from '@commonplace/config';
import { z } from 'zod';

/** One for each process: gateway, auth, agents, notes. */
export const metricsPorts = 4;

const retentionDaysMax = 36_500;
const secrets = secretList.optional();
const onOrOff = z.enum(['on', 'off'], 'must be on or off').optional();
const rolePassword = z.string().min(16, 'must have 16 characters or more').optional();

/** Every variable of `pnpm start`; docs/configuration.md explains them. */
export const environment = z
  .object({
    PORT: port.default(8080),
    HOST: z.string().default('127.0.0.1'),
    DATA_DIR: z.string().default('.data'),
    DATABASE_URL: postgresUrl.optional(),
    DEPLOYMENT_MODE: z
      .enum(['local_trusted', 'authenticated'], 'must be local_trusted or authenticated')
      .default('local_trusted'),
    BOOTSTRAP_OPERATOR_EMAIL: z.email('must be an e-mail address').optional(),
    BOOTSTRAP_OPERATOR_PASSWORD: z
      .string()
      .refine((text) => lengthOf(text) >= 15 && lengthOf(text) <= 128, 'needs 15 to 128 characters')
      .optional(),
    ...signInFields,
    PUBLIC_URL: origin.optional(),
    REQUIRE_SECOND_FACTOR: onOrOff,
    OIDC_REQUIRE_AMR: z.string().optional(),
    OAUTH_REGISTRATION: onOrOff,
    OAUTH_CLIENT_DOCUMENTS: onOrOff,
    OAUTH_CLIENT_HOSTS: z.string().optional(),
    TRUST_PROXY: listOf(network).optional(),
    CORS_ORIGINS: listOf(origin).optional(),
    RUN_TOKEN_TTL_SECONDS: wholeNumber(60, 3600).optional(),
    RUNNING_RUNS_PER_AGENT: wholeNumber(1, 10_000).optional(),
    AGENTS_PER_COMPANY: wholeNumber(1, 1_000_000).optional(),
    RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000).optional(),
    CONNECTIONS_PER_ADDRESS: wholeNumber(0, 1_000_000).optional(),
    STREAMS_PER_CREDENTIAL: wholeNumber(1, 1_000_000).optional(),
    STREAMS_PER_COMPANY: wholeNumber(1, 1_000_000).optional(),
    BODY_MIB_MAX: wholeNumber(32, 1_000_000).optional(),
    BODY_MIB_PER_COMPANY: wholeNumber(32, 1_000_000).optional(),
    BODY_MIB_PER_CREDENTIAL: wholeNumber(32, 1_000_000).optional(),
    BODY_MIB_PER_ADDRESS: wholeNumber(32, 1_000_000).optional(),
    LARGE_BODY_MIB_MAX: wholeNumber(1, 1_000_000).optional(),
    TOMBSTONE_DAYS: wholeNumber(1, retentionDaysMax).optional(),
    MUTATION_DAYS: wholeNumber(1, retentionDaysMax).optional(),
    REVISION_DAYS: wholeNumber(0, retentionDaysMax).optional(),
    DATABASE_CONNECTIONS_MAX: databaseConnections.optional(),
    DATABASE_NAMED_STATEMENTS: onOrOff,
    DATABASE_CITUS: onOrOff,
    ACCEPT_CONFIGURATION: acceptedConfiguration,
    METRICS_HOST: z.string().optional(),
    METRICS_PORT: port.optional(),
    ...tracingFields,
    OAUTH_AT_MCP: onOrOff,
    ...embeddingsFields,
    CONSOLE_DIR: z.string().optional(),
    LOG_LEVEL: logLevel.default('info'),
    RUN_TOKEN_SECRETS: secrets,
    INTERNAL_IDENTITY_SECRETS: secrets,
    API_KEY_PEPPERS: secrets,
    PASSWORD_PEPPERS: secrets,
    SESSION_SECRETS: secrets,
    SECOND_FACTOR_SECRETS: secrets,
    AUTH_DATABASE_PASSWORD: rolePassword,
    AGENTS_DATABASE_PASSWORD: rolePassword,
    NOTES_DATABASE_PASSWORD: rolePassword,
  })
  .refine(({ MUTATION_DAYS = 30, TOMBSTONE_DAYS = 90 }) => MUTATION_DAYS <= TOMBSTONE_DAYS, {
    path: ['MUTATION_DAYS'],
    message:
      'must not be above TOMBSTONE_DAYS: a repeated change would count as done although the deletion of its note is forgotten',
  })
  .refine(isEmbeddingsComplete, embeddingsIncomplete)
  .refine(({ METRICS_PORT = 0 }) => METRICS_PORT + metricsPorts - 1 <= 65_535, {
    path: ['METRICS_PORT'],
    message: `must leave room for the ${metricsPorts - 1} ports after it, which auth, agents and notes use`,
  })
  .refine(
    ({ PORT, METRICS_PORT }) =>
      METRICS_PORT === undefined || PORT < METRICS_PORT || PORT >= METRICS_PORT + metricsPorts,
    {
      path: ['METRICS_PORT'],
      message: `and the ${metricsPorts - 1} ports after it must not include PORT`,
    },
  )
  .refine((env) => env.DEPLOYMENT_MODE === 'authenticated' || isLoopback(env.HOST), {
    path: ['HOST'],
    message:
      'must be a loopback address such as 127.0.0.1 in local_trusted mode, where every client is the operator',
  })
  .refine(
    (env) => Boolean(env.BOOTSTRAP_OPERATOR_EMAIL) === Boolean(env.BOOTSTRAP_OPERATOR_PASSWORD),
    {
      path: ['BOOTSTRAP_OPERATOR_EMAIL'],
      message: 'and BOOTSTRAP_OPERATOR_PASSWORD go together',
    },
  )
  .superRefine((env, context) => {
    for (const { path, message } of signInProblems(env)) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });

/** The checked environment. */
export type SystemEnvironment = Readonly<z.output<typeof environment>>;

const lengthOf = (text: string): number => [...text.normalize('NFKC')].length;
