/** The processes of ours, besides PostgreSQL; each is `services/<name>/src/main.ts`. */
export const serviceNames = ['auth', 'agents', 'notes', 'gateway'] as const;

/** One of the processes of ours. */
export type ServiceName = (typeof serviceNames)[number];
