import {
  embeddingsIncomplete,
  fieldsOf,
  givenFields,
  isEmbeddingsComplete,
  isLoopback,
  settings,
  signInSettingProblems,
} from '@commonplace/config';
import { z } from 'zod';

/** One for each process: gateway, auth, agents, notes. */
export const metricsPorts = 4;

const rolePassword = z.string().min(16, 'must have 16 characters or more').optional();

/** Every variable of `pnpm start`; docs/configuration.md explains them. */
export const environment = z
  .object({
    ...givenFields(),
    ...fieldsOf(['PORT', 'HOST', 'PUBLIC_URL', 'DATA_DIR', 'DEPLOYMENT_MODE', 'METRICS_PORT']),
    CONSOLE_DIR: z.string().optional(),
    AUTH_DATABASE_PASSWORD: rolePassword,
    AGENTS_DATABASE_PASSWORD: rolePassword,
    NOTES_DATABASE_PASSWORD: rolePassword,
  })
  .refine((env) => daysOf(env, 'MUTATION_DAYS') <= daysOf(env, 'TOMBSTONE_DAYS'), {
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
    for (const { path, message } of signInSettingProblems(env)) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  });

/** The checked environment. */
export type SystemEnvironment = Readonly<z.output<typeof environment>>;

type Days = { readonly [Name in 'MUTATION_DAYS' | 'TOMBSTONE_DAYS']?: string | undefined };

const daysOf = (env: Days, name: keyof Days): number => Number(env[name] ?? settings[name].default);
