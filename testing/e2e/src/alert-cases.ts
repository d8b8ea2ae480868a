/** The series that make an alert fire, in the notation of promtool, and the labels it then has. */
type AlertCase = {
  readonly series: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
};

const at = { instance: 'a:9100' };
const buckets = 'gateway_request_duration_seconds_bucket';
const up = (job: string) => `up{job="${job}",instance="a:9100"}`;
const others = { [up('gateway')]: '1x30', [up('auth')]: '1x30', [up('agents')]: '1x30' };

/** What a quiet instance has: processes that are up, event streams and long polls that last, and hardly a request. */
export const quietSeries: Readonly<Record<string, string>> = {
  ...others,
  [up('notes')]: '1x30',
  ...Object.fromEntries(
    ['/api/notes/changes', '/mcp'].flatMap((route) => [
      [`${buckets}{route="${route}",kind="stream",le="1"}`, '0x30'],
      [`${buckets}{route="${route}",kind="stream",le="30"}`, '0+2x30'],
      [`${buckets}{route="${route}",kind="stream",le="+Inf"}`, '0+3x30'],
    ]),
  ),
  [`${buckets}{route="/mcp",le="1"}`]: '0+1x30',
  [`${buckets}{route="/mcp",le="+Inf"}`]: '0+1x30',
};

/** What makes each alert fire after half an hour, by its name. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  ProcessDown: { series: { ...others, [up('notes')]: '0x30' }, labels: { job: 'notes', ...at } },
  ProcessMissing: { series: others, labels: { job: 'notes' } },
  ManyServerErrors: {
    series: {
      'gateway_request_duration_seconds_count{route="/mcp",status="200"}': '0+100x30',
      'gateway_request_duration_seconds_count{route="/mcp",status="503"}': '0+10x30',
    },
    labels: {},
  },
  SlowRequests: {
    series: {
      [`${buckets}{route="/mcp",le="1"}`]: '0+50x30',
      [`${buckets}{route="/mcp",le="5"}`]: '0+100x30',
      [`${buckets}{route="/mcp",le="+Inf"}`]: '0+100x30',
    },
    labels: {},
  },
  CacheMisses: {
    series: {
      'gateway_verifications_total{result="miss"}': '0+6000x30',
      'gateway_verifications_total{result="hit"}': '0+600x30',
    },
    labels: {},
  },
  LookupBacklog: {
    series: { 'gateway_lookups_in_flight{instance="a:9100"}': '60x30' },
    labels: at,
  },
  RateLimitedRequests: { series: { gateway_rate_limited_total: '0+1200x30' }, labels: {} },
  ConnectionsRefused: {
    series: {
      'gateway_connections_refused_total{instance="a:9100",limit="total"}': '0+60x30',
    },
    labels: { ...at, limit: 'total' },
  },
  ConnectionsNearLimit: {
    series: { 'gateway_connections_open{instance="a:9100"}': '1700x30' },
    labels: at,
  },
  ConnectionsUnread: {
    series: { 'gateway_connections_unread_total{instance="a:9100"}': '0+60x30' },
    labels: at,
  },
  BodiesRefused: {
    series: { 'gateway_bodies_refused_total{instance="a:9100"}': '0+60x30' },
    labels: at,
  },
  PoolExhausted: {
    series: { 'database_pool_waiting{job="notes",instance="a:9100"}': '9x30' },
    labels: { job: 'notes', ...at },
  },
  WriteQueueFull: {
    series: { 'notes_write_queue_changes{instance="a:9100"}': '4500x30' },
    labels: at,
  },
  WriteQueueLarge: {
    series: { 'notes_write_queue_bytes{instance="a:9100"}': '50000000x30' },
    labels: at,
  },
  JobsStuck: { series: { notes_oldest_job_seconds: '1000x30' }, labels: {} },
  EventLoopLag: {
    series: { 'nodejs_eventloop_lag_p99_seconds{instance="a:9100"}': '0.5x30' },
    labels: at,
  },
  MemoryHigh: {
    series: { 'process_resident_memory_bytes{instance="a:9100"}': '500000000x30' },
    labels: at,
  },
  SignInsRefused: {
    series: {
      'auth_request_duration_seconds_count{route="/api/auth/login",status="401"}': '0+120x30',
    },
    labels: {},
  },
  BackfillStuck: {
    series: {
      'notes_catalog_backfill_changes{instance="a:9100"}': '500x30',
      'notes_search_rebuild_changes{instance="a:9100"}': '0x30',
    },
    labels: {},
  },
  TracesLost: {
    series: { 'tracing_spans_total{job="notes",instance="a:9100",result="lost"}': '0+60x30' },
    labels: { job: 'notes', ...at },
  },
  ClockDifference: {
    series: { 'identities_refused_by_clock_total{job="notes",instance="a:9100"}': '0+6x30' },
    labels: { job: 'notes', ...at },
  },
};
