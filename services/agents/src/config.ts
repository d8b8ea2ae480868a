import {
  acceptedConfiguration,
  databaseFields,
  httpUrl,
  logLevel,
  metricsFields,
  origin,
  parseEnv,
  port,
  secretList,
  serviceUrls,
  tracingFields,
  wholeNumber,
} from '@commonplace/config';
import { deploymentMode } from '@commonplace/contracts/core';
import { z } from 'zod';

/** Reads the environment of the agents service; nothing else does. */
export const readServiceConfig = () =>
  parseEnv(
    z.object({
      HOST: z.string().default('127.0.0.1'),
      PORT: port,
      LOG_LEVEL: logLevel.default('info'),
      DEPLOYMENT_MODE: deploymentMode,
      ...databaseFields,
      ...metricsFields,
      ...tracingFields,
      INTERNAL_IDENTITY_SECRETS: secretList,
      API_KEY_PEPPERS: secretList,
      ACCEPT_CONFIGURATION: acceptedConfiguration,
      /** URLs of the auth service. */
      AUTH_URL: serviceUrls,
      /** URL of the gateway, used in links and given to agents when PUBLIC_URL is not set. */
      GATEWAY_URL: httpUrl,
      PUBLIC_URL: origin.optional(),
      RUN_TOKEN_TTL_SECONDS: wholeNumber(60, 3600).default(900),
      RUNNING_RUNS_PER_AGENT: wholeNumber(1, 10_000).default(100),
      AGENTS_PER_COMPANY: wholeNumber(1, 1_000_000).default(10_000),
    }),
  );

export type ServiceConfig = ReturnType<typeof readServiceConfig>;
