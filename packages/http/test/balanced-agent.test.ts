import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Agent, type RequestListener, type Server } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { endpointsOf } from '../src/client/endpoints.ts';
import { createLog, serve, serviceAgent } from '../src/index.ts';

const log = createLog('test', 'silent');
const servers: Server[] = [];
const agents: Agent[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  servers.splice(0).forEach((server) => {
    server.closeAllConnections();
    server.close();
  });
  agents.splice(0).forEach((agent) => agent.destroy());
  children.splice(0).forEach((child) => child.kill('SIGKILL'));
});

/** A process of a service; `received` holds the bodies of its requests. */
const startProcess = async (behave?: RequestListener) => {
  const received: string[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    req.on('end', () => {
      received.push(body);
      (behave ?? ((_req, response) => response.end('ok')))(req, res);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const agentOf = (...urls: readonly string[]): Agent => {
  const agent = serviceAgent(urls);
  agents.push(agent);
  return agent;
};

/** An address without a listener. */
const deserted = async (): Promise<string> => {
  const { server, url } = await startProcess();
  server.close();
  await once(server, 'close');
  return url;
};

/** An address that neither takes nor refuses connections: a stopped process with a full accept queue. */
const silentAddress = async (): Promise<string> => {
  const program = `const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGSTOP');
  const port = Number(line.toString());
  children.push(child);
  for (let count = 0; count < 8; count += 1) {
    connect(port, '127.0.0.1').on('error', () => undefined);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  return `http://127.0.0.1:${port}`;
};

const put = (agent: Agent, body: string): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request('http://service:1/', { agent, method: 'PUT' }, (res) => {
      res.resume().once('end', () => resolve(res.statusCode ?? 0));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}`);
const slowly: RequestListener = (_req, res) => void setTimeout(() => res.end('ok'), 20);

describe('requests to a service of several processes', () => {
  it('is reached also where the caller was busy for longer than a connection may take', async () => {
    const { url, received } = await startProcess();
    // Until the connection has begun; the kernel makes it while the caller is busy.
    const connecting = new Promise<void>((resolve) => {
      const begun = Reflect.get(Socket.prototype, 'connect') as (...all: unknown[]) => Socket;
      jest.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function connectOnce(
        this: Socket,
        ...all: Parameters<Socket['connect']>
      ) {
        resolve();
        return begun.apply(this, all);
      } as Socket['connect']);
    });
    const sent = put(agentOf(url), 'late');
    await connecting;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    expect(await sent).toBe(200);
    expect(received).toEqual(['late']);
  });

  it('are spread evenly', async () => {
    const processes = await Promise.all([slowly, slowly, slowly].map(startProcess));
    const agent = agentOf(...processes.map(({ url }) => url));
    const statuses = await Promise.all(numbers(30).map((body) => put(agent, body)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(processes.map(({ received }) => received.length)).toEqual([10, 10, 10]);
  });

  it('reach another process, bodies and all, when one has exited', async () => {
    const running = await startProcess();
    const agent = agentOf(await deserted(), running.url, await deserted());
    const statuses = await Promise.all(numbers(20).map((body) => put(agent, body)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(running.received.toSorted()).toEqual(numbers(20).toSorted());
  });

  it('go past one that hangs, but for a few', async () => {
    const hanging = await startProcess(() => undefined);
    const running = await startProcess();
    const agent = agentOf(hanging.url, running.url);
    // On a busy machine another may be late, but has its response in the end.
    const hung = new Set<Promise<unknown>>();
    for (const body of numbers(40)) {
      const late = new Promise((resolve) => setTimeout(resolve, 1_000, 'late'));
      const response = put(agent, body);
      if ((await Promise.race([response, late])) === 'late') {
        hung.add(response);
        void response.then(() => hung.delete(response));
      }
    }
    expect(hung.size).toBeLessThanOrEqual(2);
    expect(running.received.length).toBeGreaterThanOrEqual(38);
    hanging.server.closeAllConnections();
    await Promise.all(hung);
  });

  it('do not wait for an address without any response, such as that of a removed container', async () => {
    const running = await startProcess();
    const silent = await silentAddress();
    const tookMs: number[] = [];
    // Those that wait take a second each time; those that do not may be late on a busy machine.
    while (Math.min(...tookMs) >= 1_000 && tookMs.length < 5) {
      const agent = agentOf(silent, running.url);
      const startedAtMs = performance.now();
      const statuses = await Promise.all(numbers(20).map((body) => put(agent, body)));
      expect(new Set(statuses)).toEqual(new Set([200]));
      tookMs.push(performance.now() - startedAtMs);
    }
    expect(Math.min(...tookMs)).toBeLessThan(1_000);
  });

  it('fail at once when no process is there', async () => {
    expect(await put(agentOf(await deserted(), await deserted()), '')).toBe('ECONNREFUSED');
  });

  it('all succeed while one of two processes shuts down', async () => {
    const [leaving, staying] = await Promise.all(
      [1, 2].map(() => serve({ app: slowly, host: '127.0.0.1', port: 0, log })),
    );
    const urls = [leaving, staying].map((running) => `http://127.0.0.1:${running?.port}`);
    const agent = agentOf(...urls);
    const over = new AbortController();
    const statuses: (number | string)[] = [];
    const client = async () => {
      while (!over.signal.aborted) {
        statuses.push(await put(agent, 'x'));
        // Idle for a while now and then, as long as a service that shuts down gives notice.
        await new Promise((resolve) => setTimeout(resolve, Math.random() < 0.1 ? 1_000 : 5));
      }
    };
    const clients = numbers(16).map(client);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await leaving?.stop();
    over.abort();
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await staying?.stop();
  }, 30_000);
});

describe('a connection', () => {
  it('serves one request after the other', async () => {
    const { server, url } = await startProcess();
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const agent = agentOf(url);
    for (const body of numbers(20)) {
      await put(agent, body);
    }
    expect(connections).toBe(1);
  });

  it('is ended by us when it is idle, before a service that shuts down would end it', async () => {
    const { server, url } = await startProcess();
    const connected = once(server, 'connection') as Promise<[Socket]>;
    await put(agentOf(url), '');
    const [socket] = await connected;
    await once(socket, 'end');
    expect(socket.destroyed || socket.readableEnded).toBe(true);
  });

  it('that was used before waits for a response longer than the idle timeout, and then ends as an idle one', async () => {
    const handlers: RequestListener[] = [
      (_req, res) => void res.end('at once'),
      (_req, res) => void setTimeout(() => res.end('late'), 800),
    ];
    const { server, url } = await startProcess((req, res) => handlers.shift()?.(req, res));
    const sockets: Socket[] = [];
    server.on('connection', (socket) => sockets.push(socket));
    const agent = agentOf(url);
    expect([await put(agent, ''), await put(agent, '')]).toEqual([200, 200]);
    expect(sockets).toHaveLength(1);
    await once(sockets[0] as Socket, 'end');
  });
});

describe('the addresses of a service', () => {
  it('are those of every base URL', async () => {
    const endpoints = endpointsOf(['http://127.0.0.1:81', 'http://[::1]', 'http://localhost:82']);
    expect(await endpoints()).toEqual(
      expect.arrayContaining([
        { host: '127.0.0.1', port: 81 },
        { host: '::1', port: 80 },
        { host: '127.0.0.1', port: 82 },
      ]),
    );
  });

  it('are those of the names that are known, when one is not', async () => {
    const endpoints = endpointsOf(['http://no-such-name.invalid', 'http://127.0.0.1:81']);
    expect(await endpoints()).toEqual([{ host: '127.0.0.1', port: 81 }]);
    await expect(endpointsOf(['http://no-such-name.invalid'])()).rejects.toThrow(
      /ENOTFOUND|EAI_AGAIN/,
    );
  });
});
