import { z } from 'zod';
import { port } from './fields.ts';

/** Where a process serves its metrics; without a port it serves none. Never published to the outside. */
export const metricsFields = {
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
};
