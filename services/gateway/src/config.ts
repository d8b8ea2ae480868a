import { join } from 'node:path';
import {
  fieldsReadBy,
  httpUrl,
  isLoopback,
  parseEnv,
  port,
  serviceUrls,
} from '@commonplace/config';
import { z } from 'zod';

/** The built console, in this repository and in the image. */
const builtConsole = join(import.meta.dirname, '../../../packages/console/dist');

/** Every variable the gateway reads. Services and secrets have no default. */
export const configSchema = z
  .object({
    ...fieldsReadBy('gateway'),
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    /** URL of the first gateway, for the addresses of OAuth when PUBLIC_URL is not set. */
    GATEWAY_URL: httpUrl.optional(),
    AUTH_URL: serviceUrls,
    AGENTS_URL: serviceUrls,
    NOTES_URL: serviceUrls,
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
