/** Every process of ours. */
export const processNames = ['gateway', 'auth', 'agents', 'notes'] as const;

export type ProcessName = (typeof processNames)[number];

/** A process behind the gateway, with a schema of its own. */
export type ServiceName = Exclude<ProcessName, 'gateway'>;
