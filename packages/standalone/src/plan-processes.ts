import { findFreePort } from '@commonplace/embedded-postgres';
import { httpAddress } from './http-address.ts';
import type { Addresses } from './service-environment.ts';
import { serviceNames } from './service-names.ts';
import type { ServiceName } from './service-names.ts';

/** One planned process: its service, its port, and the replicas of other services it calls. */
export type PlannedProcess = { readonly name: ServiceName; readonly addresses: Addresses };

type PlanOptions = {
  readonly host: string;
  /** The first gateway's port; 0 means a free one. */
  readonly port: number;
  readonly replicas: Readonly<Partial<Record<ServiceName, number>>>;
  /** Whether every process reaches all processes of the others, or one of each. */
  readonly isMeshed?: boolean | undefined;
};

const loopback = '127.0.0.1';

/**
 * Assigns every process a port for as long as the system runs. Replica number i of a service calls replica number
 * i of the others (modulo their count), or all of them. All have the URL of the first gateway: people and agents are
 * sent to it, and passkeys are for it, so replicas must not differ in it.
 */
export const planProcesses = async (options: PlanOptions): Promise<PlannedProcess[]> => {
  const names = serviceNames.flatMap((name) =>
    Array.from({ length: options.replicas[name] ?? 1 }, () => name),
  );
  const free = await Promise.all(names.map(findFreePort));
  if (options.port !== 0) {
    free[names.indexOf('gateway')] = options.port;
  }
  const portsOf = (name: ServiceName) => free.filter((_, index) => names[index] === name);
  const urlOf = (name: Exclude<ServiceName, 'gateway'>, replica: number) => {
    const urls = portsOf(name).map((port) => httpAddress(loopback, port));
    return options.isMeshed ? urls.join(',') : (urls[replica % urls.length] ?? '');
  };
  const gatewayUrl = httpAddress(options.host, portsOf('gateway')[0] ?? 0);
  const inOrder = gatewayFirst.flatMap((name) => portsOf(name));
  return serviceNames.flatMap((name) =>
    portsOf(name).map((port, replica) => ({
      name,
      addresses: {
        processNo: inOrder.indexOf(port),
        host: name === 'gateway' ? options.host : loopback,
        port,
        urls: {
          auth: urlOf('auth', replica),
          agents: urlOf('agents', replica),
          notes: urlOf('notes', replica),
          gateway: gatewayUrl,
        },
      },
    })),
  );
};

/** The order in which processes are numbered. */
const gatewayFirst = ['gateway', 'auth', 'agents', 'notes'] as const;
