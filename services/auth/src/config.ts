import {
  databaseFields,
  fieldsOf,
  fieldsReadBy,
  httpUrl,
  parseEnv,
  port,
  serviceUrls,
  signInSettingProblems,
} from '@commonplace/config';
import { email, isAppError } from '@commonplace/contracts/core';
import { z } from 'zod';
import { assertStrongPassword } from './policy/assert-strong-password.ts';

const serviceSchema = z
  .object({
    ...fieldsReadBy('auth'),
    ...databaseFields,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(0),
    /** URL of the gateway on this machine, used in links when PUBLIC_URL is not set. */
    GATEWAY_URL: httpUrl,
    AGENTS_URL: serviceUrls,
    /** Only for the page of the instance. */
    NOTES_URL: serviceUrls.optional(),
    BOOTSTRAP_OPERATOR_EMAIL: email.optional(),
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
    for (const { path, message } of signInSettingProblems(env)) {
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
      ...databaseFields,
      // The address is for the link of a handover.
      ...fieldsOf([
        'DATABASE_CONNECTIONS_MAX',
        'DATABASE_NAMED_STATEMENTS',
        'DATABASE_CITUS',
        'PASSWORD_PEPPERS',
        'SECOND_FACTOR_SECRETS',
        'PUBLIC_URL',
      ]),
      GATEWAY_URL: httpUrl.optional(),
    }),
  );
