import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts the content of the files that `NAME_FILE` names in the place of `NAME`, for these names, as the services
 * themselves do (`packages/config`). A child then gets each value once: the two together are an error there.
 *
 * It needs nothing but Node: in a container the dependencies of this package are not installed.
 */
export const withFileValues = (env: Environment, names: readonly string[]): Environment => {
  const values: Record<string, string | undefined> = { ...env };
  for (const name of names) {
    const path = env[`${name}_FILE`];
    delete values[`${name}_FILE`];
    if (!path) {
      continue;
    }
    if (env[name]) {
      throw new Error(`Set either ${name} or ${name}_FILE, not both.`);
    }
    values[name] = contentOf(`${name}_FILE`, path);
  }
  return values;
};

const contentOf = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new Error(`${name}: the file ${path} cannot be read.`, { cause });
  }
};
