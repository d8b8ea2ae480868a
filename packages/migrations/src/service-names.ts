/** The services with a schema of their own, in the order of their migrations. */
export const serviceNames = ['auth', 'agents', 'notes'] as const;

/** A service with a schema of its own. */
export type ServiceName = (typeof serviceNames)[number];

/** The passwords of the roles the services log in as. */
export type RolePasswords = Readonly<Record<ServiceName, string>>;
