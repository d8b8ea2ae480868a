import { join } from 'node:path';
import {
  httpUrl,
  isLoopback,
  listOf,
  logLevel,
  metricsFields,
  network,
  onOrOff,
  origin,
  parseEnv,
  port,
  secretList,
  serviceUrls,
  tracingFields,
  wholeNumber,
} from '@commonplace/config';
import { deploymentMode } from '@commonplace/contracts';
import { z } from 'zod';

/** The built console, in this repository and in the image. */
const builtConsole = join(import.meta.dirname, '../../../packages/console/dist');

/** Every variable the gateway reads. Services and secrets have no default. */
export const configSchema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    LOG_LEVEL: logLevel.default('info'),
    DEPLOYMENT_MODE: deploymentMode.default('local_trusted'),
    PUBLIC_URL: origin.optional(),
    /** URL of the first gateway, for the addresses of OAuth when PUBLIC_URL is not set. */
    GATEWAY_URL: httpUrl.optional(),
    /** Whether access tokens of connections are credentials at /mcp too. */
    OAUTH_AT_MCP: onOrOff.default(false),
    AUTH_URL: serviceUrls,
    AGENTS_URL: serviceUrls,
    NOTES_URL: serviceUrls,
    INTERNAL_IDENTITY_SECRETS: secretList,
    SESSION_SECRETS: secretList,
    RUN_TOKEN_SECRETS: secretList,
    API_KEY_PEPPERS: secretList,
    TRUST_PROXY: listOf(network).default([]),
    CORS_ORIGINS: listOf(origin).default([]),
    RATE_LIMIT_PER_SECOND: wholeNumber(0, 1_000_000).default(1000),
    /** Open connections per address (/64 for IPv6). Trusted proxies are exempt; 0 turns the limit off. */
    CONNECTIONS_PER_ADDRESS: wholeNumber(0, 1_000_000).default(500),
    /** Open event streams and long polls. Each holds a connection here and one at the service. */
    STREAMS_PER_CREDENTIAL: wholeNumber(1, 1_000_000).default(50),
    STREAMS_PER_COMPANY: wholeNumber(1, 1_000_000).default(500),
    /** MiB of request bodies buffered at once: in total, per credential and per address. */
    BODY_MIB_MAX: wholeNumber(32, 1_000_000).default(128),
    BODY_MIB_PER_COMPANY: wholeNumber(32, 1_000_000).default(64),
    BODY_MIB_PER_CREDENTIAL: wholeNumber(32, 1_000_000).default(64),
    BODY_MIB_PER_ADDRESS: wholeNumber(32, 1_000_000).default(96),
    ...metricsFields,
    ...tracingFields,
    CONSOLE_DIR: z.string().default(builtConsole),
  })
  .refine((env) => env.DEPLOYMENT_MODE !== 'local_trusted' || isLoopback(env.HOST), {
    path: ['HOST'],
    message: 'must be a loopback address in local_trusted mode, where every client is the operator',
  });

/** The validated environment. */
export type Config = Readonly<z.output<typeof configSchema>>;

/** Reads the environment. Prints every problem and exits if there is one. */
export const readGatewayConfig = (): Config => parseEnv(configSchema);
