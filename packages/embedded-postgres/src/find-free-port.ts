import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports. An outgoing connection may get one of those while its server is down, and would keep the server
 * from starting again for as long as it lives: a client that connects to the port of a server that is down may get that very
 * port.
 */
const range = { first: 20_000, ports: 10_000 } as const;
/** Processes that start at the same time choose from different blocks of the range, until theirs is used up. */
const blockPorts = 1_000;
const attemptsMax = 100;

/** The ports that this process chose or reserved. A port is free until its server listens, which may be minutes later. */
const reserved = new Set<number>();

/** Keeps a port that is planned for a server from being found as a free one. */
export const reservePort = (port: number): void => {
  reserved.add(port);
};

/**
 * Returns a TCP port of the loopback interface that is free now, each only once. Another program may take it before it is
 * used, so callers need a retry.
 */
export const findFreePort = async (): Promise<number> => {
  let problem = 'all are reserved';
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = attempt < attemptsMax / 2 ? portOfBlock() : range.first + randomInt(range.ports);
    if (reserved.has(port)) {
      continue;
    }
    reservePort(port);
    const found = await listenProblem('127.0.0.1', port);
    if (found === null) {
      return port;
    }
    problem = found;
  }
  throw new Error(`No free port was found on 127.0.0.1 (${problem}).`);
};

const portOfBlock = (): number => {
  const block = process.pid % (range.ports / blockPorts);
  return range.first + block * blockPorts + randomInt(blockPorts);
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
