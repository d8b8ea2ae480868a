import {
  acceptedConfiguration,
  databaseFields,
  httpUrl,
  listOf,
  logLevel,
  metricsFields,
  onOrOff,
  origin,
  parseEnv,
  port,
  secretList,
  serviceUrls,
  signInFields,
  signInProblems,
  tracingFields,
} from '@commonplace/config';
import { deploymentMode, email, isAppError } from '@commonplace/contracts/core';
import { z } from 'zod';
import { assertStrongPassword } from './policy/assert-strong-password.ts';

const operatorFields = { ...databaseFields, PASSWORD_PEPPERS: secretList };

const serviceSchema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(0),
    LOG_LEVEL: logLevel.default('info'),
    DEPLOYMENT_MODE: deploymentMode.default('local_trusted'),
    PUBLIC_URL: origin.optional(),
    /** URL of the gateway on this machine, used in links when PUBLIC_URL is not set. */
    GATEWAY_URL: httpUrl,
    AGENTS_URL: serviceUrls,
    /** Only for the page of the instance. */
    NOTES_URL: serviceUrls.optional(),
    ...operatorFields,
    ...metricsFields,
    ...tracingFields,
    ACCEPT_CONFIGURATION: acceptedConfiguration,
    SESSION_SECRETS: secretList,
    SECOND_FACTOR_SECRETS: secretList.optional(),
    REQUIRE_SECOND_FACTOR: onOrOff.default(false),
    /** Read only while REQUIRE_SECOND_FACTOR is on. */
    OIDC_REQUIRE_AMR: listOf(z.string().max(64)).default([]),
    RUN_TOKEN_SECRETS: secretList,
    INTERNAL_IDENTITY_SECRETS: secretList,
    ...signInFields,
    /** Whether `/mcp` is a resource of the OAuth server, too. */
    OAUTH_AT_MCP: onOrOff.default(false),
    /** Whether clients may register themselves at the OAuth server. */
    OAUTH_REGISTRATION: onOrOff.default(true),
    /** Whether clients may name themselves by the address of a metadata document, which this service then reads. */
    OAUTH_CLIENT_DOCUMENTS: onOrOff.default(true),
    /** Hosts whose metadata documents of clients are read; empty: any. */
    OAUTH_CLIENT_HOSTS: listOf(z.string().max(255)).default([]),
    BOOTSTRAP_OPERATOR_EMAIL: email.optional(),
    BOOTSTRAP_OPERATOR_PASSWORD: z.string().optional(),
  })
  .refine((env) => !env.REQUIRE_SECOND_FACTOR || env.SECOND_FACTOR_SECRETS !== undefined, {
    path: ['SECOND_FACTOR_SECRETS'],
    message: 'is required while REQUIRE_SECOND_FACTOR is on (pnpm secrets makes one)',
  })
  .superRefine((env, context) => {
    const problem = bootstrapProblem(env.BOOTSTRAP_OPERATOR_EMAIL, env.BOOTSTRAP_OPERATOR_PASSWORD);
    if (problem) {
      context.addIssue({ code: 'custom', path: ['BOOTSTRAP_OPERATOR_PASSWORD'], message: problem });
    }
    for (const { path, message } of signInProblems(env)) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });

/** Both or neither, and as strong as any other password. */
const bootstrapProblem = (email?: string, password?: string): string | null => {
  if (email === undefined && password === undefined) {
    return null;
  }
  if (email === undefined || password === undefined) {
    return 'set BOOTSTRAP_OPERATOR_EMAIL and BOOTSTRAP_OPERATOR_PASSWORD together, or neither';
  }
  try {
    assertStrongPassword(password, email);
    return null;
  } catch (error) {
    return isAppError(error) ? error.message : 'is not valid';
  }
};

export type Config = z.output<typeof serviceSchema>;

/** Reads the environment of the service process. */
export const readServiceConfig = (): Config => parseEnv(serviceSchema);

/** Reads the environment of `pnpm operator`: the part of the service environment that it uses. */
export const readOperatorCliConfig = () =>
  parseEnv(
    z.object({
      ...operatorFields,
      /** For the link of a handover. */
      PUBLIC_URL: origin.optional(),
      GATEWAY_URL: httpUrl.optional(),
    }),
  );
