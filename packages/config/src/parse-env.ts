import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every problem of the environment at once, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * An empty string means "not set": compose files pass `${NAME:-}` for what nobody gave. Not so where what stands in for a
 * missing value decides who is let in (the mode, secrets that a single machine makes itself): there an empty value is a
 * mistake, unless `NAME_FILE` gives the real one, or the other way round. Without secrets for second factors, codes of
 * authenticator apps are refused, so nobody is let in by mistake.
 */
const withoutEmpty = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => {
      const [name, value] = entry;
      return Boolean(value) || (value === '' && isNeeded(name) && !env[otherWay(name)]);
    }),
  );

const isNeeded = (name: string): boolean =>
  !/^SECOND_FACTOR_SECRETS(?:_FILE)?$/.test(name) &&
  /^(?:DEPLOYMENT_MODE|\w+_(?:SECRETS|PEPPERS|DATABASE_PASSWORD))(?:_FILE)?$/.test(name);

const otherWay = (name: string): string =>
  name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;

/** `NAME_FILE` stands for the content of a file, as Docker secrets are mounted. Both at once is a problem. */
const readFiles = (schema: z.ZodObject, env: Record<string, string>, problems: string[]) => {
  for (const name of Object.keys(schema.shape)) {
    const path = env[`${name}_FILE`];
    // docker-compose passes both as empty when neither is set; the empty value is then a problem of its own.
    if (path === undefined || (path === '' && env[name] === '')) {
      continue;
    }
    if (env[name] !== undefined) {
      problems.push(`${name}: set either ${name} or ${name}_FILE, not both`);
      continue;
    }
    try {
      env[name] = readFileSync(path, 'utf8').trim();
    } catch {
      problems.push(`${name}_FILE: the file ${path} cannot be read`);
    }
  }
  return env;
};

/**
 * Reads the environment once, against a zod object whose keys are the variable names.
 * Throws a ConfigError with all problems together; values themselves never appear in it.
 */
export const readConfig = <Schema extends z.ZodObject>(
  schema: Schema,
  env: Environment,
): Readonly<z.output<Schema>> => {
  const problems: string[] = [];
  const result = schema.safeParse(readFiles(schema, withoutEmpty(env), problems));
  if (!result.success) {
    problems.push(
      ...result.error.issues.map(
        (issue) => `${issue.path.join('.') || 'environment'}: ${issue.message}`,
      ),
    );
  }
  if (!result.success || problems.length > 0) {
    throw new ConfigError(problems);
  }
  return Object.freeze(result.data);
};

/** As `readConfig` over `process.env`; prints every problem and ends the process with 1. */
export const parseEnv = <Schema extends z.ZodObject>(
  schema: Schema,
  env: Environment = process.env,
): Readonly<z.output<Schema>> => {
  try {
    return readConfig(schema, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
};
