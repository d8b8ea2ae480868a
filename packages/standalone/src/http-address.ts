import { isIP } from 'node:net';

/** The URL at which this machine reaches a server that listens on `host`, which may mean "everywhere". */
export const httpAddress = (host: string, port: number | string): string => {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
};
