import { z } from 'zod';
import { httpUrl, wholeNumber } from './fields.ts';

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

/** Where a process sends its traces, by the names of OpenTelemetry; without an endpoint it makes none. */
export const tracingFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default(''),
  /** Milliseconds. */
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(1, 60_000).default(10_000),
  /** The names of the processes begin with it. */
  OTEL_SERVICE_NAME: z.string().max(100).default('commonplace'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.default(''),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      'must be a sampler such as parentbased_traceidratio',
    )
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
};
