import { failure, ok, type Finding } from '@commonplace/checks';
import { givenFields, settings } from '@commonplace/config';
import { z } from 'zod';
import type { Deployment } from './deployment.ts';

/** Checks each setting as the process that reads it does at its start. Secrets have a check of their own. */
export const checkSettings = async ({ env }: Deployment): Promise<Finding[]> => {
  const secrets = Object.entries(settings).flatMap(([name, { isSecret }]) =>
    isSecret || /_(?:SECRETS|PEPPERS)$/.test(name) ? [name] : [],
  );
  const issues = z.object(givenFields()).safeParse(env).error?.issues ?? [];
  const problems = issues
    .map(({ path, message }) => ({ name: path.join('.'), message }))
    .filter(({ name }) => !secrets.includes(name));
  return problems.length === 0
    ? [ok('settings', 'each that is set is valid')]
    : problems.map(({ name, message }) =>
        failure(
          'settings',
          `${name} ${message}`,
          'What reads it does not start. docs/configuration.md says what it may be.',
        ),
      );
};
