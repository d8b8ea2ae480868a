import { serviceNames as schemaServices } from '@commonplace/migrations/service-names';

/** Every process besides PostgreSQL; each runs `services/<name>/src/main.ts`, or the bundle of it. */
export const serviceNames = [...schemaServices, 'gateway'] as const;

/** One of these processes. */
export type ServiceName = (typeof serviceNames)[number];
