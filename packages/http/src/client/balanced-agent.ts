import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endpointsOf, type Endpoint, type Endpoints } from './endpoints.ts';
import { Agent } from '../server/node-http.ts';
import { drainNoticeMs } from '../server/serve.ts';

/**
 * Makes the agent for requests to a service that may run in several processes: at one address or many,
 * named by one base URL or many.
 */
export const serviceAgent = (baseUrls: readonly string[]): ServiceAgent =>
  new ServiceAgent(endpointsOf(baseUrls));

/** What is known of one process. */
type Peer = { openCount: number; unhealthyUntilMs: number };

/** Whom a connection leads to, and for how long it is used. */
type ConnectionInfo = { readonly endpoint: Endpoint; readonly untilMs: number };

type Connected = (error: Error | null, socket: Duplex) => void;

const connectMaxMs = 1_000;
/** Whoever has not taken a connection by then may be gone: the next one is tried beside it. */
const connectHedgeMs = 100;
/** Whoever failed is the last choice for so long. */
const shunnedMs = 2_000;
/** A connection is not used for longer, so that processes that come get their share. */
const usedMaxMs = 10_000;
/**
 * An idle connection ends well before a process that shuts down would end it: one that is still there
 * can be used without the risk that the request meets a connection that is just being closed.
 */
const idleMaxMs = drainNoticeMs / 2;

/**
 * Connects to the process with the fewest connections, and to the next one when that fails: no request
 * has been sent by then, so none is lost or sent twice. A process that hangs keeps its connections, and
 * so gets few new ones.
 */
export class ServiceAgent extends Agent {
  readonly #endpoints: Endpoints;
  readonly #peers = new Map<string, Peer>();
  readonly #uses = new WeakMap<Duplex, ConnectionInfo>();

  constructor(endpoints: Endpoints) {
    super({ keepAlive: true, maxFreeSockets: 256, timeout: idleMaxMs });
    this.#endpoints = endpoints;
  }

  override createConnection(_options: ClientRequestArgs, connected?: Connected): undefined {
    this.#connectToAny().then(
      (socket) => connected?.(null, socket),
      // Beside an error Node looks at no socket, although the type asks for one.
      (error: unknown) => connected?.(error as Error, undefined as never),
    );
  }

  override keepSocketAlive(socket: Duplex): boolean {
    super.keepSocketAlive(socket);
    return performance.now() < (this.#uses.get(socket)?.untilMs ?? 0);
  }

  /**
   * Notes who ends the connection with an answer: a process that shuts down. It has the fewest
   * connections from then on, and would be the first choice until the moment it is gone.
   */
  observeResponse({ headers, socket }: IncomingMessage): void {
    const use = headers.connection === 'close' ? this.#uses.get(socket) : undefined;
    if (use) {
      this.#markUnhealthy(use.endpoint);
    }
  }

  async #connectToAny(): Promise<Socket> {
    const waiting = this.#byPreference(await this.#endpoints());
    return new Promise((resolve, reject) => {
      let underway = 0;
      let isSettled = false;
      const tryNext = () => {
        const endpoint = waiting.shift();
        if (isSettled || !endpoint) {
          return;
        }
        underway += 1;
        const slow = setTimeout(() => {
          this.#markUnhealthy(endpoint);
          tryNext();
        }, connectHedgeMs);
        this.#connectTo(endpoint)
          .finally(() => clearTimeout(slow))
          .then(
            (socket) => {
              if (isSettled) {
                socket.destroy();
              }
              isSettled = true;
              resolve(socket);
            },
            (error: unknown) => {
              underway -= 1;
              tryNext();
              if (underway === 0) {
                reject(error as Error);
              }
            },
          );
      };
      tryNext();
    });
  }

  /** Those in good standing first, the ones with the fewest connections before the others; then by lot. */
  #byPreference(endpoints: readonly Endpoint[]): Endpoint[] {
    const nowMs = performance.now();
    return endpoints
      .map((endpoint) => {
        const { openCount = 0, unhealthyUntilMs = 0 } = this.#peers.get(keyOf(endpoint)) ?? {};
        return {
          endpoint,
          openCount,
          isShunned: unhealthyUntilMs > nowMs,
          tieBreaker: Math.random(),
        };
      })
      .toSorted(
        (a, b) =>
          Number(a.isShunned) - Number(b.isShunned) ||
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
      this.#forgetUnused(endpoint, peer);
    });
    // Also for failures in use, a request that took too long among them: the next goes elsewhere.
    socket.on('error', () => this.#markUnhealthy(endpoint));
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => socket.destroy(noConnection(endpoint)), connectMaxMs);
      socket.once('error', reject);
      socket.once('connect', () => {
        clearTimeout(tooLate);
        socket.off('error', reject);
        const untilMs = performance.now() + usedMaxMs * (0.5 + Math.random() / 2);
        this.#uses.set(socket, { endpoint, untilMs });
        resolve(socket);
      });
      socket.once('close', () => clearTimeout(tooLate));
    });
  }

  #markUnhealthy(endpoint: Endpoint): void {
    this.#peerOf(endpoint).unhealthyUntilMs = performance.now() + shunnedMs;
  }

  #peerOf(endpoint: Endpoint): Peer {
    const key = keyOf(endpoint);
    const peer = this.#peers.get(key) ?? { openCount: 0, unhealthyUntilMs: 0 };
    this.#peers.set(key, peer);
    return peer;
  }

  #forgetUnused(endpoint: Endpoint, peer: Peer): void {
    if (peer.openCount === 0 && peer.unhealthyUntilMs <= performance.now()) {
      this.#peers.delete(keyOf(endpoint));
    }
  }
}

const keyOf = ({ host, port }: Endpoint): string => `${host} ${port}`;

/** Not ETIMEDOUT: a service that cannot be reached is away (503), not late with an answer (504). */
const noConnection = ({ host, port }: Endpoint): Error =>
  Object.assign(new Error(`No connection to ${host}:${port} within ${connectMaxMs} ms`), {
    code: 'EHOSTUNREACH',
  });
