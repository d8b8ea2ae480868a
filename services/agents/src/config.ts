import {
  databaseFields,
  deploymentMode,
  fieldsReadBy,
  httpUrl,
  parseEnv,
  port,
  serviceUrls,
} from '@commonplace/config';
import { z } from 'zod';

/** Reads the environment of the agents service; nothing else does. */
export const readServiceConfig = () =>
  parseEnv(
    z.object({
      ...fieldsReadBy('agents'),
      ...databaseFields,
      HOST: z.string().default('127.0.0.1'),
      PORT: port,
      DEPLOYMENT_MODE: deploymentMode,
      /** URLs of the auth service. */
      AUTH_URL: serviceUrls,
      /** URL of the gateway, used in links and given to agents when PUBLIC_URL is not set. */
      GATEWAY_URL: httpUrl,
    }),
  );

export type ServiceConfig = ReturnType<typeof readServiceConfig>;
