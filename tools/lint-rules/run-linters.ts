import { runCommand } from '../run-command.ts';
import type { Finding } from './finding.ts';

/** Runs the linters of `pnpm check` over a repository and returns their findings. */
export async function runLinters(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const linter of [findLayers, findLint, findFormat, findUnused]) {
    findings.push(...(await linter(folder)));
  }
  return findings;
}

async function findLayers(folder: string): Promise<Finding[]> {
  const settings = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
  const report = await run(folder, ['depcruise', ...settings, 'packages', 'services']);
  const { summary } = JSON.parse(report) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ from, rule }) => ({ rule: `layers/${rule.name}`, file: from }));
}

async function findLint(folder: string): Promise<Finding[]> {
  const settings = ['--type-aware', '--format', 'json'];
  const report = await run(folder, ['oxlint', ...settings, 'packages', 'services']);
  const { diagnostics } = JSON.parse(report) as {
    diagnostics: { code: string; filename: string }[];
  };
  return diagnostics.map(({ code, filename }) => ({
    // The code is `plugin(rule)`.
    rule: `lint/${code.replace(/^.*\(|\)$/g, '')}`,
    file: filename,
  }));
}

async function findFormat(folder: string): Promise<Finding[]> {
  const report = await run(folder, ['oxfmt', '--list-different', 'packages', 'services']);
  return report.split('\n').map((file) => ({ rule: 'format/oxfmt', file }));
}

async function findUnused(folder: string): Promise<Finding[]> {
  const report = await run(folder, ['knip', '--no-progress', '--reporter', 'json']);
  const { issues } = JSON.parse(report) as {
    issues: { file: string; files: unknown[]; exports: unknown[] }[];
  };
  return issues.flatMap(({ file, files, exports }) => [
    ...files.map(() => ({ rule: 'unused/files', file })),
    ...exports.map(() => ({ rule: 'unused/exports', file })),
  ]);
}

/** The report of a linter, which exits with an error. */
async function run(folder: string, [program = '', ...args]: string[]): Promise<string> {
  const { output } = await runCommand(program, args, { folder });
  return output;
}
