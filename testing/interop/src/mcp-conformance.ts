import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, toolPath } from './workspace.ts';

/** One finding of the conformance suite. */
export type Check = {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
};

const scenarioMs = 60_000;

/**
 * The ids of the checks that did not pass, each once: failures, warnings and what was skipped. A scenario in which no
 * check passed has tested nothing, so there all count.
 */
export const notPassed = (checks: readonly Check[]): readonly string[] => {
  const hasPassed = checks.some(({ status }) => status === 'SUCCESS');
  const failed = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  const counted = failed.length === 0 && !hasPassed ? checks : failed;
  return [...new Set(counted.map(({ id }) => id))];
};

/** Runs a scenario of the conformance suite against a server, and returns its checks. */
export const runScenario = async (
  url: string,
  scenario: string,
  revision: string,
): Promise<readonly Check[]> => {
  const options = ['--scenario', scenario, '--spec-version', revision];
  const { checks, output } = await runSuite(url, options);
  const [found] = checks.values();
  if (!found) {
    throw new Error(`${scenario} of ${revision} has no result: ${output.slice(0, 2_000)}`);
  }
  return found;
};

/**
 * Runs all that the suite requires of servers of a revision, and what it reports beside that, in one process. Returns
 * the checks by scenario.
 */
export const runRequirements = async (
  url: string,
  revision: string,
): Promise<ReadonlyMap<string, readonly Check[]>> => {
  const { checks } = await runSuite(url, ['--requirements', revision]);
  return checks;
};

/** The program of the suite, for commands that wait for a browser. */
export const conformanceProgram = (): string => packagePath('dist/index.js');

/** All checks that the suite wrote below a folder. */
export const readChecks = async (folder: string): Promise<readonly Check[]> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    file.endsWith('checks.json'),
  );
  const checks = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]),
  );
  return checks.flat();
};

const packagePath = (file: string): string => toolPath(`@modelcontextprotocol/conformance/${file}`);

/** The scenarios for servers that the suite requires of a revision: the list `server` of a plain YAML file. */
export const requiredScenarios = async (revision: string): Promise<readonly string[]> => {
  const text = await readFile(packagePath(`requirements/${revision}.yaml`), 'utf8');
  const [, list = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(text) ?? [];
  return [...list.matchAll(/- (\S+)/g)].map(([, name = '']) => name);
};

type Results = { readonly checks: Map<string, readonly Check[]>; readonly output: string };

const runSuite = async (url: string, options: readonly string[]): Promise<Results> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-conformance-'));
  const program = packagePath('dist/index.js');
  const common = ['--url', url, '--timeout', String(scenarioMs), '-o', folder];
  try {
    // It ends with an error if a check fails; the checks say which.
    const output = await runTool('node', [program, 'server', ...options, ...common], folder).catch(
      (error: unknown) => String(error),
    );
    const checks = new Map<string, readonly Check[]>();
    for (const file of await readdir(folder, { recursive: true })) {
      // A folder is named after its scenario and the time.
      const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[^/]*\/checks\.json$/.exec(file) ?? [];
      if (scenario !== undefined) {
        checks.set(scenario, JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]);
      }
    }
    return { checks, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
