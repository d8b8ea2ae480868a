import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { bearer, createApi, makeCompany } from '@commonplace/e2e';
import { startSystem, type RunningSystem } from '@commonplace/local';
import { measureLoad } from './measure-load.ts';
import { memoryOf } from './memory-of.ts';

/** `pnpm bench`: figures of the single-machine system on this machine, printed as Markdown. */
const connections = 32;
const durationSeconds = 5;

const print = (line: string) => process.stdout.write(`${line}\n`);

const start = async (dataDir: string): Promise<{ system: RunningSystem; readyMs: number }> => {
  const startedAt = performance.now();
  const system = await startSystem({
    dataDir,
    env: { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' },
    output: (text) => process.stderr.write(text),
  });
  return { system, readyMs: Math.round(performance.now() - startedAt) };
};

const reportMemory = ({ processes }: RunningSystem, when: string): void => {
  const rows = [
    { name: 'supervisor and bench', megabytes: memoryOf(process.pid, { withChildren: false }) },
    ...processes.map(({ name, pid }) => ({
      name,
      megabytes: pid ? memoryOf(pid, { withChildren: true }) : 0,
    })),
  ];
  print(`\n| memory, PSS, ${when} | MB |\n| --- | --- |`);
  rows.forEach(({ name, megabytes }) => print(`| ${name} | ${megabytes} |`));
  print(`| sum | ${Math.round(rows.reduce((sum, row) => sum + row.megabytes, 0))} |`);
};

const reportLoad = async ({ baseUrl }: RunningSystem): Promise<void> => {
  const operator = createApi({ baseUrl });
  const company = await makeCompany(operator, 'Bench', { baseUrl, withInvite: false });
  const cases = [
    ['GET /api/notes/{id}, API key', `/api/notes/${company.noteId}`, company.key],
    ['GET /api/notes/{id}, run JWT', `/api/notes/${company.noteId}`, company.runToken],
    ['GET /api/agents/me, API key', '/api/agents/me', company.key],
    ['GET /api/agents/me, run JWT', '/api/agents/me', company.runToken],
  ] as const;
  print(
    `\n| through the gateway, ${connections} connections | requests/s | p50 ms | p99 ms | failed |\n| --- | --- | --- | --- | --- |`,
  );
  for (const [name, path, credential] of cases) {
    const figures = await measureLoad({
      url: baseUrl + path,
      headers: bearer(credential),
      connections,
      durationSeconds,
    });
    print(
      `| ${name} | ${figures.requestsPerSecond} | ${figures.p50Ms} | ${figures.p99Ms} | ${figures.failed} |`,
    );
  }
};

const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
try {
  print(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB`,
  );
  const first = await start(dataDir);
  reportMemory(first.system, 'first start, idle');
  await first.system.stop();
  const again = await start(dataDir);
  print(`\nSupervisor start to ready: ${first.readyMs} ms at first, ${again.readyMs} ms again.`);
  reportMemory(again.system, 'started again, idle');
  await reportLoad(again.system);
  reportMemory(again.system, 'after the load');
  await again.system.stop();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
