import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { browserProgram } from '@commonplace/e2e/browser';
import type { DemoData } from './demo-data.ts';
import { withDemoSystem } from './demo-system.ts';

/** Not a dependency: it would bring more packages than the console has. It is downloaded once. */
const lighthouse = 'lighthouse@13.5.0';

const pages: Readonly<Record<string, (at: DemoData) => string>> = {
  dashboard: ({ company }) => company,
  notes: ({ company }) => `${company}/notes`,
  note: ({ note }) => note,
  agent: ({ agent }) => agent,
};

/** For so long the notes of a new system are indexed, which would be measured with the first page. */
const indexingMs = 10_000;

type Report = {
  readonly finalDisplayedUrl: string;
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
};

/** `node packages/console/tools/lighthouse.ts [page…]`: measures pages with example data in Chromium, and prints a table. */
const measurePages = async (names: readonly string[]): Promise<void> => {
  const unknown = names.find((name) => !(name in pages));
  if (unknown !== undefined) {
    throw new Error(`There is no page ${unknown}; there are ${Object.keys(pages).join(', ')}`);
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-lighthouse-'));
  try {
    await withDemoSystem(dataDir, {}, async ({ baseUrl, headers, demo }) => {
      await new Promise((resolve) => setTimeout(resolve, indexingMs));
      process.stdout.write(`${lineOf(['Page', ...columns])}\n${lineOf(Array(6).fill('---'))}\n`);
      for (const [name, pathOf] of Object.entries(pages)) {
        if (names.length === 0 || names.includes(name)) {
          const url = baseUrl + pathOf(demo);
          const report = await runLighthouse({ url, cookie: headers['cookie'] ?? '', dataDir });
          process.stdout.write(`${lineOf([name, ...figuresOf(report)])}\n`);
        }
      }
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

type Visit = { readonly url: string; readonly cookie: string; readonly dataDir: string };

const runLighthouse = async ({ url, cookie, dataDir }: Visit): Promise<Report> => {
  const file = join(dataDir, 'lighthouse.json');
  const options = [
    '--preset=desktop',
    // The stream of events never ends, so the network is never idle.
    '--max-wait-for-load=12000',
    '--only-categories=performance,accessibility,best-practices',
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    // It does not sign in.
    `--extra-headers=${JSON.stringify({ Cookie: cookie })}`,
    '--chrome-flags=--headless --no-sandbox',
  ];
  const browser = `CHROME_PATH=${browserProgram()}`;
  await promisify(execFile)('env', [browser, 'npx', '--yes', lighthouse, url, ...options]);
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  if (report.finalDisplayedUrl !== url) {
    throw new Error(`Lighthouse was led from ${url} to ${report.finalDisplayedUrl}.`);
  }
  return report;
};

const columns = ['Performance', 'Interactive', 'Blocked', 'Accessibility', 'Best practices'];

const figuresOf = ({ categories, audits }: Report): readonly string[] => {
  const scoreOf = (name: string) => String(Math.round(100 * (categories[name]?.score ?? 0)));
  const msOf = (name: string) => `${Math.round(audits[name]?.numericValue ?? 0)} ms`;
  return [
    scoreOf('performance'),
    msOf('interactive'),
    msOf('total-blocking-time'),
    scoreOf('accessibility'),
    scoreOf('best-practices'),
  ];
};

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

await measurePages(process.argv.slice(2));
