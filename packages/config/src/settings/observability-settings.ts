import { z } from 'zod';
import { httpUrl, logLevel, port, wholeNumber } from '../fields.ts';
import { readers, type SettingRow } from './setting.ts';

/** `name=value` pairs as OpenTelemetry writes headers: separated by commas, values percent-encoded. */
const pairs = z
  .string()
  .refine(
    (text) => text.split(',').every((pair) => /^\s*(?:[\w.-]+\s*=.*)?$/.test(pair)),
    'must be name=value, separated by commas',
  );

const ratio = z
  .string()
  .regex(/^(?:\d+(?:\.\d*)?|\.\d+)$/, 'must be a number between 0 and 1')
  .transform(Number)
  .refine((share) => share <= 1, 'must be a number between 0 and 1');

const sampler = z.enum(
  [
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ],
  'must be a sampler such as parentbased_traceidratio',
);

/** What the processes report. */
export const observabilitySettings = [
  {
    about: 'pino levels; logs are JSON lines on standard error',
    settings: {
      LOG_LEVEL: {
        comment:
          'trace, debug, info, warn, error or fatal. One JSON line per event on standard error.',
        field: logLevel,
        default: 'info',
        readBy: readers,
      },
    },
  },
  {
    about: 'Prometheus metrics of the gateway; auth, agents and notes use the three ports after it',
    settings: {
      METRICS_PORT: {
        comment:
          'Port of the Prometheus metrics of every container, on the internal network only. Empty: none, see docs/operations.md.',
        field: port,
        readBy: readers,
      },
      METRICS_HOST: {
        comment: null,
        field: z.string(),
        default: '127.0.0.1',
        readBy: readers,
      },
    },
  },
  {
    about:
      'base URL of a collector (OTLP over HTTP, protobuf): [traces](operations.md#traces) are sent to `/v1/traces` below it',
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        comment:
          'Base URL of an OpenTelemetry collector (OTLP over HTTP) that every container can reach: the services have only the internal network. Empty: no traces, see docs/operations.md.',
        field: httpUrl,
        readBy: readers,
      },
    },
  },
  {
    about:
      'headers for the collector as `name=value,name=value`, values percent-encoded; milliseconds that sending may take',
    settings: {
      OTEL_EXPORTER_OTLP_HEADERS: {
        comment:
          'Headers for the collector, as name=value,name=value with percent-encoded values; often a token.',
        field: pairs,
        default: '',
        isSecret: true,
        readBy: readers,
      },
      OTEL_EXPORTER_OTLP_TIMEOUT: {
        comment: 'Milliseconds that sending spans to it may take. Requests never wait for it.',
        field: wholeNumber(1, 60_000),
        default: '10000',
        readBy: readers,
      },
    },
  },
  {
    about:
      'processes call themselves `<name>-gateway`, `<name>-auth`, `<name>-agents` and `<name>-notes`; attributes of all spans as `name=value,name=value`',
    settings: {
      OTEL_SERVICE_NAME: {
        comment:
          'The processes call themselves <name>-gateway, <name>-auth, <name>-agents and <name>-notes.',
        field: z.string().max(100),
        default: 'commonplace',
        readBy: readers,
      },
      OTEL_RESOURCE_ATTRIBUTES: {
        comment: 'Attributes of all spans, as name=value,name=value.',
        field: pairs,
        default: '',
        readBy: readers,
      },
    },
  },
  {
    about:
      '`always_on`, `always_off`, `traceidratio`, or one of these with `parentbased_`; the share of traces for `traceidratio`, 0 to 1',
    settings: {
      OTEL_TRACES_SAMPLER: {
        comment:
          'Which requests are traced, and for the samplers by trace id their share: parentbased_traceidratio and 0.01 trace 1 % of the requests, and those whose caller traces.',
        field: sampler,
        default: 'parentbased_always_on',
        readBy: readers,
      },
      OTEL_TRACES_SAMPLER_ARG: {
        field: ratio,
        default: '1',
        readBy: readers,
      },
    },
  },
] as const satisfies readonly SettingRow[];
