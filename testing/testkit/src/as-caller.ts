import { createServer, type RequestListener, type Server } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Caller } from '@commonplace/identity';
import request from 'supertest';
import type { SentHeaders } from './documented-headers.ts';
import { assertDocumented } from './documented.ts';
import { identityHeaders } from './test-identity.ts';

type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';

const idleMs = 5_000;
const listening = new WeakMap<
  RequestListener,
  { readonly server: Server; readonly idle: NodeJS.Timeout }
>();

/** Connections stay until it closes: one that ends by itself could do so just when it gets a request. */
const newServer = (app: RequestListener): Server =>
  createServer({ keepAliveTimeout: 0 }, app).listen(0, '127.0.0.1').unref();

/**
 * The server of an application, for all requests until there are none for a while: to listen and to connect again for each of
 * them takes longer than many of them. It listens only after a moment: until then every request has a server of its own.
 */
const serverOf = (app: RequestListener): RequestListener | Server => {
  const server = listening.get(app)?.server ?? newServer(app);
  clearTimeout(listening.get(app)?.idle);
  const close = () => {
    listening.delete(app);
    server.close();
  };
  listening.set(app, { server, idle: setTimeout(close, idleMs).unref() });
  return server.listening ? server : app;
};

/**
 * A client of an application for one caller: signed headers on every request, and every response checked
 * against the OpenAPI document. `null` sends no identity.
 */
export const as = (
  app: RequestListener,
  caller: Caller | null,
): Record<Verb, (path: string) => request.Test> => {
  const call = (verb: Verb) => (path: string) =>
    request(serverOf(app))
      [verb](path)
      .set(caller ? identityHeaders(caller) : {})
      .expect((response) => {
        assertDocumented({
          method: verb,
          path,
          status: response.status,
          contentType: response.headers['content-type'],
          body: response.body as unknown,
          headers: response.headers as SentHeaders,
        });
      });
  return {
    get: call('get'),
    put: call('put'),
    post: call('post'),
    patch: call('patch'),
    delete: call('delete'),
  };
};
