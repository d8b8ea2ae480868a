import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  listOf,
  logLevel,
  origin,
  parseEnv,
  port,
  secretList,
  serviceUrls,
  wholeNumber,
} from '@commonplace/config';
import { deploymentMode } from '@commonplace/contracts';
import { z } from 'zod';
import { isLoopback } from './loopback.ts';

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return version !== 0 && isPrefix && rest.length === 0;
};

/** An address, or a network in CIDR form. */
const network = z
  .string()
  .refine(isNetwork, 'must be addresses or networks such as 10.0.0.0/8, separated by commas');

/** Where the build of the console ends up, in this repository and in the image. */
const builtConsole = join(import.meta.dirname, '../../../packages/console/dist');

/** Every variable the gateway reads. Services and secrets have no default. */
export const configSchema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    LOG_LEVEL: logLevel.default('info'),
    DEPLOYMENT_MODE: deploymentMode.default('local_trusted'),
    PUBLIC_URL: origin.optional(),
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
    METRICS_PORT: port.optional(),
    CONSOLE_DIR: z.string().default(builtConsole),
  })
  .refine((env) => env.DEPLOYMENT_MODE !== 'local_trusted' || isLoopback(env.HOST), {
    path: ['HOST'],
    message:
      'must be a loopback address in local_trusted mode, where whoever connects is the operator',
  });

/** The checked environment. */
export type Config = Readonly<z.output<typeof configSchema>>;

/** Reads the environment; prints every problem and ends the process when there is one. */
export const readGatewayConfig = (): Config => parseEnv(configSchema);
