const probes = ['/healthz', '/readyz'];

/** Whether a path is one that only asks how a service is. */
export const isProbe = (path: string | undefined): boolean => probes.includes(path ?? '');
