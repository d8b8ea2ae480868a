import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterReading } from './after-reading.ts';
import { endpointsOf, type Endpoint, type Endpoints } from './endpoints.ts';
import { Agent } from '../server/node-http.ts';
import { drainNoticeMs } from '../server/serve.ts';

/**
 * Creates the agent for requests to a service of several processes, at one or several addresses or base URLs.
 */
export const serviceAgent = (baseUrls: readonly string[]): ServiceAgent =>
  new ServiceAgent(endpointsOf(baseUrls));

/** The state of one process. */
type Peer = { openCount: number; unhealthyUntilMs: number };

/** The process of a connection, and when its use ends. */
type ConnectionInfo = { readonly endpoint: Endpoint; readonly untilMs: number };

type Connected = (error: Error | null, socket: Duplex) => void;

const connectMaxMs = 1_000;
/** After this time without a connection, the next process is attempted in parallel. */
const connectHedgeMs = 100;
/** A process is the last choice for this long after a failure. */
const unhealthyMs = 2_000;
/** A connection is used no longer than this, so that new processes get their share. */
const lifetimeMaxMs = 10_000;
/**
 * An idle connection is closed well before a process that shuts down would close it, so that no request is sent
 * on a connection that is being closed.
 */
const idleMaxMs = drainNoticeMs / 2;

/**
 * Connects to the process with the fewest connections, and to the next one when that fails. No request is sent
 * by then, so none is lost or sent twice. A process that hangs keeps its connections, so it gets few new ones.
 */
export class ServiceAgent extends Agent {
  readonly #endpoints: Endpoints;
  readonly #peers = new Map<string, Peer>();
  readonly #connections = new WeakMap<Duplex, ConnectionInfo>();

  constructor(endpoints: Endpoints) {
    super({ keepAlive: true, maxFreeSockets: 256, timeout: idleMaxMs });
    this.#endpoints = endpoints;
  }

  override createConnection(_options: ClientRequestArgs, connected?: Connected): undefined {
    this.#connectToAny().then(
      (socket) => connected?.(null, socket),
      // Node ignores the socket when there is an error, although the type requires one.
      (error: unknown) => connected?.(error as Error, undefined as never),
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    super.keepSocketAlive(socket);
    return performance.now() < (this.#connections.get(socket)?.untilMs ?? 0);
  }

  /**
   * Marks a process that closes the connection with a response: it is shutting down. It would have the fewest
   * connections, and be the first choice until it exits.
   */
  observeResponse({ headers, socket }: IncomingMessage): void {
    const connection = headers.connection === 'close' ? this.#connections.get(socket) : undefined;
    if (connection) {
      this.#markUnhealthy(connection.endpoint);
    }
  }

  async #connectToAny(): Promise<Socket> {
    const waiting = this.#byPreference(await this.#endpoints());
    return new Promise((resolve, reject) => {
      let pendingCount = 0;
      let isSettled = false;
      const connectNext = () => {
        const endpoint = waiting.shift();
        if (isSettled || !endpoint) {
          return;
        }
        pendingCount += 1;
        const connected = afterReading(connectHedgeMs, () => {
          this.#markUnhealthy(endpoint);
          connectNext();
        });
        this.#connectTo(endpoint)
          .finally(connected)
          .then(
            (socket) => {
              if (isSettled) {
                socket.destroy();
              }
              isSettled = true;
              resolve(socket);
            },
            (error: unknown) => {
              pendingCount -= 1;
              connectNext();
              if (pendingCount === 0) {
                reject(error as Error);
              }
            },
          );
      };
      connectNext();
    });
  }

  /** Healthy processes first, then those with the fewest connections, then random. */
  #byPreference(endpoints: readonly Endpoint[]): Endpoint[] {
    const nowMs = performance.now();
    return endpoints
      .map((endpoint) => {
        const { openCount = 0, unhealthyUntilMs = 0 } = this.#peers.get(keyOf(endpoint)) ?? {};
        return {
          endpoint,
          openCount,
          isUnhealthy: unhealthyUntilMs > nowMs,
          tieBreaker: Math.random(),
        };
      })
      .toSorted(
        (a, b) =>
          Number(a.isUnhealthy) - Number(b.isUnhealthy) ||
          a.openCount - b.openCount ||
          a.tieBreaker - b.tieBreaker,
      )
      .map(({ endpoint }) => endpoint);
  }

  #connectTo(endpoint: Endpoint): Promise<Socket> {
    const peer = this.#peerOf(endpoint);
    const socket = connect({ ...endpoint, noDelay: true, keepAlive: true });
    peer.openCount += 1;
    socket.once('close', () => {
      peer.openCount -= 1;
      this.#deleteUnused(endpoint, peer);
    });
    // Also for failures in use, such as a request that timed out: the next one goes elsewhere.
    socket.on('error', () => this.#markUnhealthy(endpoint));
    return new Promise((resolve, reject) => {
      const end = afterReading(connectMaxMs, () => socket.destroy(noConnection(endpoint)));
      socket.once('error', reject);
      socket.once('connect', () => {
        end();
        socket.off('error', reject);
        const untilMs = performance.now() + lifetimeMaxMs * (0.5 + Math.random() / 2);
        this.#connections.set(socket, { endpoint, untilMs });
        resolve(socket);
      });
      socket.once('close', end);
    });
  }

  #markUnhealthy(endpoint: Endpoint): void {
    this.#peerOf(endpoint).unhealthyUntilMs = performance.now() + unhealthyMs;
  }

  #peerOf(endpoint: Endpoint): Peer {
    const key = keyOf(endpoint);
    const peer = this.#peers.get(key) ?? { openCount: 0, unhealthyUntilMs: 0 };
    this.#peers.set(key, peer);
    return peer;
  }

  #deleteUnused(endpoint: Endpoint, peer: Peer): void {
    if (peer.openCount === 0 && peer.unhealthyUntilMs <= performance.now()) {
      this.#peers.delete(keyOf(endpoint));
    }
  }
}

const keyOf = ({ host, port }: Endpoint): string => `${host} ${port}`;

/** Not ETIMEDOUT: an unreachable service is 503, a late response 504. */
const noConnection = ({ host, port }: Endpoint): Error =>
  Object.assign(new Error(`No connection to ${host}:${port} within ${connectMaxMs} ms`), {
    code: 'EHOSTUNREACH',
  });
