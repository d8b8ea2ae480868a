import type { ServiceName } from './service-names.ts';

/** The connection URL of a service's own role, on the server and database of the administrator's URL. */
export const appUrl = (adminUrl: string, service: ServiceName, password: string): string => {
  const url = new URL(adminUrl);
  url.username = `${service}_app`;
  url.password = encodeURIComponent(password);
  return url.href;
};
