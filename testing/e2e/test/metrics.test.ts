import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bearer, createApi } from '../src/call-api.ts';
import { findMetricsPorts, measuredProcesses, metricOf, readMetrics } from '../src/metrics.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

const monitoring = join(import.meta.dirname, '../../../infra/monitoring');

let system: TestSystem;
let firstPort: number;
let pages: string[];

const readPages = (): Promise<string[]> =>
  Promise.all(measuredProcesses.map((name) => readMetrics(firstPort, name)));

beforeAll(async () => {
  firstPort = await findMetricsPorts();
  system = await startTestSystem('local_trusted', { env: { METRICS_PORT: String(firstPort) } });
  pages = await readPages();
}, 120_000);
afterAll(() => system.stop());

it('every process counts its requests by declared route, never by an id', async () => {
  const { baseUrl } = system;
  const company = await makeCompany(system.as({}), 'Measured', { baseUrl, withInvite: false });
  const agent = createApi({ baseUrl, headers: bearer(company.key) });
  await agent('GET', `/api/notes/${company.noteId}`);
  pages = await readPages();
  const [gateway, , agents, notes] = pages;
  const read = 'request_duration_seconds_count{route="/api/notes/{id}",status="200"}';
  expect(metricOf(gateway, `gateway_${read}`)).toBe(1);
  expect(metricOf(notes, `notes_${read}`)).toBe(1);
  const made = 'agents_request_duration_seconds_count{route="/api/companies",status="201"}';
  expect(metricOf(agents, made)).toBe(1);
  for (const page of pages) {
    expect(page).not.toContain(company.noteId);
    expect(page).not.toContain(company.companyId);
    expect(metricOf(page, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  }
});

it('the notes service counts changes by outcome, the pool its connections, the gateway its lookups', () => {
  const [gateway, , agents, notes] = pages;
  expect(metricOf(notes, 'notes_changes_total{outcome="applied"}')).toBe(1);
  expect(metricOf(notes, 'notes_changes_total{outcome="proposed"}')).toBe(1);
  expect(metricOf(notes, 'notes_batches_total')).toBe(2);
  expect(metricOf(notes, 'notes_write_queue_changes')).toBe(0);
  expect(metricOf(notes, 'notes_write_queue_bytes')).toBe(0);
  expect(metricOf(notes, 'notes_jobs{state="waiting"}')).toBe(0);
  expect(metricOf(agents, 'database_pool_connections{state="idle"}')).toBeGreaterThan(0);
  expect(metricOf(gateway, 'gateway_verifications_total{result="miss"}')).toBeGreaterThan(0);
});

it('every metric of the dashboard and the alerts exists', async () => {
  const known = new Set(pages.join('\n').match(/^[a-z_0-9]+(?=[{ ])/gm));
  const texts = await Promise.all(
    (await readdir(monitoring)).map((name) => readFile(join(monitoring, name), 'utf8')),
  );
  const named = texts
    .join('\n')
    .match(
      /\b(?:gateway|auth|agents|notes|database|identities|tracing|process|nodejs)_[a-z_0-9]+/g,
    );
  expect(named?.length).toBeGreaterThan(10);
  expect(named?.filter((name) => !known.has(name))).toEqual([]);
});

it('every refusal that the gateway counts has an alert', async () => {
  const alarms = await readFile(join(monitoring, 'alerts.yml'), 'utf8');
  const refusals = pages[0]?.match(/^gateway_\w+_refused_total(?=[{ ])/gm) ?? [];
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.filter((name) => !alarms.includes(name))).toEqual([]);
});

it('every alert has a paragraph in docs/operations.md, and every paragraph an alert', async () => {
  const alarms = await readFile(join(monitoring, 'alerts.yml'), 'utf8');
  const manual = await readFile(join(monitoring, '../../docs/operations.md'), 'utf8');
  const [, explained = ''] = manual.split('### What the alerts mean');
  const names = [...alarms.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const paragraphs = [...explained.matchAll(/^- \*\*(\w+)\*\*:/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(paragraphs).toEqual(names);
});

it('the dashboard is one that Grafana can import: valid JSON, every panel with a query', async () => {
  const dashboard = JSON.parse(
    await readFile(join(monitoring, 'grafana-dashboard.json'), 'utf8'),
  ) as { panels: { title: string; targets: { expr: string }[] }[] };
  for (const { title, targets } of dashboard.panels) {
    expect({ title, exprs: targets.map(({ expr }) => expr.length > 0) }).toEqual({
      title,
      exprs: targets.map(() => true),
    });
  }
});
