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

/** Runs a scenario of the conformance suite against a server, and returns its checks. */
export const runScenario = async (
  url: string,
  scenario: string,
  revision: string,
): Promise<readonly Check[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-conformance-'));
  const program = toolPath('@modelcontextprotocol/conformance/dist/index.js');
  const options = ['--url', url, '--scenario', scenario, '--spec-version', revision];
  const args = [program, 'server', ...options, '--timeout', String(scenarioMs), '-o', folder];
  // It ends with an error if a check fails; the checks say which.
  const output = await runTool('node', args, folder).catch((error: unknown) => String(error));
  try {
    const files = await readdir(folder, { recursive: true });
    const file = files.find((name) => name.endsWith('checks.json'));
    if (file === undefined) {
      throw new Error(`${scenario} of ${revision} has no result: ${output.slice(0, 2_000)}`);
    }
    return JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
