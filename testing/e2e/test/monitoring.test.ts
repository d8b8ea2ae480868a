import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alertCases, quietSeries } from '../src/alert-cases.ts';
import { bearer, createApi, type Api } from '../src/call-api.ts';
import { startLoad, type Load } from '../src/load.ts';
import { findMetricsPorts } from '../src/metrics.ts';
import { freeze, pidsOf } from '../src/processes.ts';
import { hasPrometheus, startPrometheus, type Prometheus } from '../src/prometheus.ts';
import { startTraceCollector, type TraceCollector } from '@commonplace/testkit';
import { administrator, startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany } from '../src/world.ts';

const monitoring = join(import.meta.dirname, '../../../infra/monitoring');
const rules = await readFile(join(monitoring, 'alerts.yml'), 'utf8');

/** Name, expression, severity and summary of each alert. */
const alerts = rules
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expression: /expr: '(.*)'/.exec(text)?.[1] ?? '',
    severity: /severity: (\w+)/.exec(text)?.[1] ?? '',
    summary: /summary: '(.*)'/.exec(text)?.[1] ?? '',
  }));

const isInstalled = hasPrometheus();
const describeWithPrometheus = isInstalled ? describe : describe.skip;
if (!isInstalled) {
  process.stderr.write('Prometheus is not installed (Debian: prometheus); its tests are skipped\n');
}

describeWithPrometheus('each alert', () => {
  const test = async (cases: readonly object[]) => {
    const directory = await mkdtemp(join(tmpdir(), 'commonplace-alerts-'));
    try {
      const file = join(directory, 'test.json');
      const content = { rule_files: [join(monitoring, 'alerts.yml')], evaluation_interval: '1m' };
      await writeFile(file, JSON.stringify({ ...content, tests: cases }));
      const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', file]);
      return stdout;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
  const caseOf = (series: Readonly<Record<string, string>>, expected: readonly object[]) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: expected,
  });

  it('has a case that makes it fire', () => {
    expect(Object.keys(alertCases)).toEqual(alerts.map(({ name }) => name));
  });

  it.each(alerts)('$name fires when its case has lasted, with its labels', async (alert) => {
    const { series = {}, labels = {} } = alertCases[alert.name] ?? {};
    const fired = {
      exp_labels: { ...labels, severity: alert.severity },
      exp_annotations: { summary: alert.summary },
    };
    const expected = { eval_time: '30m', alertname: alert.name, exp_alerts: [fired] };
    expect(await test([caseOf(series, [expected])])).toContain('SUCCESS');
  });

  it('is silent while all processes are up and clients only watch', async () => {
    const expected = alerts.map(({ name }) => ({
      eval_time: '30m',
      alertname: name,
      exp_alerts: [],
    }));
    expect(await test([caseOf(quietSeries, expected)])).toContain('SUCCESS');
  });
});

describeWithPrometheus('a real Prometheus on a system under load', () => {
  let system: TestSystem;
  let prometheus: Prometheus;
  let load: Load;
  let agent: Api;
  let collector: TraceCollector;

  beforeAll(async () => {
    const firstPort = await findMetricsPorts();
    collector = await startTraceCollector();
    system = await startTestSystem('authenticated', {
      env: {
        METRICS_PORT: String(firstPort),
        STREAMS_PER_CREDENTIAL: '1',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
    const { baseUrl } = system;
    const board = system.as(await system.boardHeaders());
    const company = await makeCompany(board, 'Watched', { baseUrl, withInvite: false });
    agent = createApi({ baseUrl, headers: bearer(company.key) });
    load = startLoad({ baseUrl, key: company.key, clients: 2, pauseMs: 50 });
    prometheus = await startPrometheus(firstPort);
  }, 120_000);
  afterAll(async () => {
    await load.stop();
    await prometheus.stop();
    await system.stop();
    collector.stop();
  });

  /** Queries until the result is as wanted; 30 s at most. Returns the last one. */
  const until = async (expression: string, isWanted: (values: readonly number[]) => boolean) => {
    let values: readonly number[] = [];
    for (let tried = 0; tried < 60 && !isWanted(values); tried += 1) {
      values = (await prometheus.query(expression)).map(({ value }) => value);
      await sleep(isWanted(values) ? 0 : 500);
    }
    return values;
  };
  const hasData = (values: readonly number[]) => values.some((value) => !Number.isNaN(value));
  const signInWrongly = () =>
    system.as({})('POST', '/api/auth/login', {
      body: { email: administrator.email, password: 'a wrong password' },
    });
  const fires = async (name: string) => {
    const expression = alerts.find((alert) => alert.name === name)?.expression ?? '';
    return hasData(await until(expression, hasData));
  };

  it('has data for every query of the dashboard', async () => {
    const dashboard = JSON.parse(
      await readFile(join(monitoring, 'grafana-dashboard.json'), 'utf8'),
    ) as { panels: { title: string; targets: { expr: string }[] }[] };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const calling = setInterval(() => {
      agent('POST', '/mcp', { body: list }).catch(() => undefined);
      signInWrongly().catch(() => undefined);
    }, 500);
    const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const empty: string[] = [];
    for (const query of queries) {
      if (!hasData(await until(query, hasData))) {
        empty.push(query);
      }
    }
    clearInterval(calling);
    expect(queries.length).toBeGreaterThan(20);
    expect(empty).toEqual([]);
  }, 120_000);

  it('fires ProcessDown while a service hangs, and ManyServerErrors while it dies again and again', async () => {
    const goOn = freeze(pidsOf(system.system, 'notes')[0] ?? 0);
    try {
      expect(await fires('ProcessDown')).toBe(true);
    } finally {
      goOn();
    }
    const killing = setInterval(() => {
      const [pid] = system.system.processes.flatMap(({ name, pid: id }) =>
        name === 'notes' && id !== null ? [id] : [],
      );
      if (pid !== undefined) {
        process.kill(pid, 'SIGKILL');
      }
    }, 200);
    try {
      expect(await fires('ManyServerErrors')).toBe(true);
    } finally {
      clearInterval(killing);
    }
  }, 120_000);

  it('has data for both sides of every alert’s comparison', async () => {
    const empty: string[] = [];
    for (const { name, expression } of alerts.filter(({ name }) => name !== 'ProcessMissing')) {
      for (const part of expression.split(' and ')) {
        const compared = part.replace(/ (?:>=?|==) [\d.* ]+$/, '');
        if (!hasData(await until(compared, hasData))) {
          empty.push(`${name}: ${compared}`);
        }
      }
    }
    expect(empty).toEqual([]);
  }, 120_000);

  it('fires RateLimitedRequests while clients open more streams than they may', async () => {
    const aborting = new AbortController();
    const flood = async () => {
      while (!aborting.signal.aborted) {
        await agent('GET', '/api/notes/changes').catch(() => undefined);
      }
    };
    const first = fetch(`${system.baseUrl}/api/notes/changes`, { signal: aborting.signal });
    first.catch(() => undefined);
    const flooding = Array.from({ length: 4 }, flood);
    try {
      expect(await fires('RateLimitedRequests')).toBe(true);
    } finally {
      aborting.abort();
    }
    await Promise.all(flooding);
  }, 120_000);

  it('fires SignInsRefused while somebody guesses passwords', async () => {
    const over = new AbortController();
    const guess = async () => {
      while (!over.signal.aborted) {
        await signInWrongly();
      }
    };
    const guessing = Array.from({ length: 8 }, guess);
    try {
      expect(await fires('SignInsRefused')).toBe(true);
    } finally {
      over.abort();
    }
    await Promise.all(guessing);
  }, 120_000);

  it('fires TracesLost while the collector refuses spans', async () => {
    collector.respondWith(400);
    try {
      expect(await fires('TracesLost')).toBe(true);
    } finally {
      collector.respondWith(200);
    }
  }, 120_000);
});
