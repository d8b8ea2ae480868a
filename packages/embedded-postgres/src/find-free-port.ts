import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports. An outgoing connection may get one of those while its server is down, and would keep the server
 * from starting again for as long as it lives: a client that connects to the port of a server that is down may get that very
 * port.
 */
const ports = { first: 20_000, count: 10_000 } as const;
const attemptsMax = 100;

/**
 * Returns a TCP port of the loopback interface that is free now. Another program may take it before it is used,
 * so callers need a retry.
 */
export const findFreePort = async (): Promise<number> => {
  let problem = '';
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = ports.first + randomInt(ports.count);
    const found = await listenProblem('127.0.0.1', port);
    if (found === null) {
      return port;
    }
    problem = found;
  }
  throw new Error(`No free port was found on 127.0.0.1 (${problem}).`);
};

/** Null if a server can listen there, or else the error code of the system. */
export const listenProblem = async (host: string, port: number): Promise<string | null> => {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
  server.close();
  await once(server, 'close');
  return null;
};
