import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Where every connection is cut: before a statement reaches the server, or when its response comes back. */
export type Cut = {
  readonly step: number | RegExp | Matcher;
  readonly when: 'before' | 'response';
};

/** Whether to cut at the last of these statements. */
type Matcher = (statements: readonly string[]) => boolean;

export type CuttingProxy = {
  readonly port: number;
  /** Begins to count statements again, and cuts at this one; null lets all of them through. */
  readonly arm: (cut: Cut | null) => void;
  /** The statements since then, over all connections. */
  readonly statements: () => readonly string[];
  readonly close: () => Promise<void>;
};

/**
 * Stands between a program and PostgreSQL and cuts all connections at one statement. To the server this is what
 * a program that is killed at this moment looks like.
 */
export const startCuttingProxy = async (targetPort: number): Promise<CuttingProxy> => {
  let cut: Cut | null = null;
  let statements: string[] = [];
  const sockets = new Set<Socket>();
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    let isLast = false;
    const read = messageReader();
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      for (const text of read(chunk)) {
        statements.push(text);
        if (cut !== null && isAt(cut.step, statements)) {
          if (cut.when === 'before') {
            cutAll();
            return;
          }
          isLast = true;
        }
      }
      target.write(chunk);
    });
    target.on('data', (chunk) => (isLast ? cutAll() : client.write(chunk)));
    client.on('end', () => target.end());
    target.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    arm: (next) => {
      cut = next;
      statements = [];
    },
    statements: () => statements,
    close: () =>
      new Promise((resolve) => {
        cutAll();
        server.close(() => resolve());
      }),
  };
};

const isAt = (step: Cut['step'], statements: readonly string[]): boolean => {
  if (typeof step === 'function') {
    return step(statements);
  }
  return typeof step === 'number' ? step === statements.length : step.test(statements.at(-1) ?? '');
};

/** Finds the statements in what a client sends: simple ones, executions of parsed ones, and the end of a COPY. */
const messageReader = (): ((chunk: Buffer) => string[]) => {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  let parsed = '';
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: string[] = [];
    for (;;) {
      // The first message has no type.
      const typeBytes = hasStarted ? 1 : 0;
      if (rest.length < typeBytes + 4) {
        return found;
      }
      const end = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < end) {
        return found;
      }
      const type = hasStarted ? String.fromCharCode(rest[0] ?? 0) : '';
      const body = rest.subarray(typeBytes + 4, end).toString('latin1');
      hasStarted = true;
      rest = rest.subarray(end);
      if (type === 'P') {
        parsed = body.split('\0')[1] ?? '';
      } else if (type === 'Q') {
        found.push(body.replace('\0', ''));
      } else if (type === 'E') {
        found.push(parsed);
      } else if (type === 'c') {
        found.push('end of copy');
      }
    }
  };
};
