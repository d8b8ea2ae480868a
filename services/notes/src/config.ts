import { httpUrl, logLevel, parseEnv, port, postgresUrl, secretList } from '@commonplace/config';
import { z } from 'zod';

const serviceSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  LOG_LEVEL: logLevel.default('info'),
  DATABASE_URL: postgresUrl,
  AGENTS_URL: httpUrl,
  INTERNAL_IDENTITY_SECRETS: secretList,
});

/** The environment of the service process. */
export const readServiceConfig = () => parseEnv(serviceSchema);
