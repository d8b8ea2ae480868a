const probes = ['/healthz', '/readyz'];

/** True for the paths of health checks. */
export const isProbe = (path: string | undefined): boolean => probes.includes(path ?? '');
