import { setTimeout as sleep } from 'node:timers/promises';
import { listenProblem, reservePort } from '@commonplace/embedded-postgres';

type PortCheck = {
  /** The setting that chooses the port. */
  readonly setting?: string;
  readonly host: string;
  readonly port: number;
  /** How long to wait for the present user of the port to end. */
  readonly waitSeconds: number;
};

/** Reserves a port that is given for a process. Throws an error with advice if it cannot be used. */
export const assertPortIsFree = async ({
  setting = 'PORT',
  host,
  port,
  waitSeconds,
}: PortCheck): Promise<void> => {
  reservePort(port);
  const deadline = performance.now() + waitSeconds * 1000;
  let code = await listenProblem(host, port);
  while (code === 'EADDRINUSE' && performance.now() < deadline) {
    await sleep(100);
    code = await listenProblem(host, port);
  }
  if (code === 'EADDRINUSE') {
    throw new Error(
      `Port ${port} on ${host} is taken by another program. Stop that one, or choose another port with ${setting}.`,
    );
  }
  if (code !== null) {
    throw new Error(
      `Port ${port} on ${host} cannot be used (${code}). Choose another address with ${setting} and ${setting.replace('PORT', 'HOST')}.`,
    );
  }
};
