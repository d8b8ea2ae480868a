import type { RequestListener } from 'node:http';
import type { Caller } from '@commonplace/identity';
import request from 'supertest';
import type { SentHeaders } from './documented-headers.ts';
import { assertDocumented } from './documented.ts';
import { identityHeaders } from './test-identity.ts';

type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';

/**
 * A client of an application for one caller: signed headers on every request, and every response checked
 * against the OpenAPI document. `null` sends no identity.
 */
export const as = (
  app: RequestListener,
  caller: Caller | null,
): Record<Verb, (path: string) => request.Test> => {
  const call = (verb: Verb) => (path: string) =>
    request(app)
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
