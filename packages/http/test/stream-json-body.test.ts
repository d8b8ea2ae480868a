import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { AppError, routeContract, type JsonOf } from '@commonplace/contracts/core';
import request from 'supertest';
import { z } from 'zod';
import { buildApp, createLog, defineRoute, streamed, type OnResponse } from '../src/index.ts';

const numbers = routeContract({
  operationId: 'listNumbers',
  service: 'notes',
  method: 'get',
  path: '/api/numbers',
  tag: 'Examples',
  summary: 'Count',
  responses: {
    200: {
      description: 'Numbers, and how many',
      schema: z.object({
        items: z.array(z.object({ number: z.int() })),
        count: z.int(),
        next: z.string().optional(),
      }),
    },
  },
  errors: [],
  access: { kind: 'public', reason: 'a test counts for everybody' },
});

type Item = JsonOf<{ readonly number: number }>;

/** An application that streams `parts`. */
const appOf = (
  parts: () => AsyncIterable<Item[]>,
  { onResponse, ending }: { onResponse?: OnResponse; ending?: { count: number } } = {},
) => {
  let count = 0;
  async function* counted() {
    for await (const part of parts()) {
      count += part.length;
      yield part;
    }
  }
  return buildApp({
    routes: [
      defineRoute(numbers, async () =>
        streamed(200, { list: 'items', parts: counted(), rest: () => ending ?? { count } }),
      ),
    ],
    verifyIdentity: Object.assign(() => null, { findClockDifference: () => null }),
    log: createLog('notes', 'silent'),
    isReady: async () => undefined,
    onResponse,
  });
};

const item = (number: number) => JSON.stringify({ number }) as Item;

const responseOf = (
  parts: () => AsyncIterable<Item[]>,
  ending?: { count: number; secret?: string },
) => request(appOf(parts, ending ? { ending } : {})).get('/api/numbers');

describe('a streamed body', () => {
  it('is what it would be in one', async () => {
    const response = await responseOf(async function* () {
      yield [item(1), item(2)];
      yield [item(3)];
    });
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'transfer-encoding': 'chunked',
    });
    expect(response.body).toEqual({
      items: [{ number: 1 }, { number: 2 }, { number: 3 }],
      count: 3,
    });
  });

  it('may have an empty list, and empty parts anywhere', async () => {
    const empty = await responseOf(async function* () {});
    expect(empty.body).toEqual({ items: [], count: 0 });
    const gaps = await responseOf(async function* () {
      yield [];
      yield [item(1)];
      yield [];
      yield [item(2)];
    });
    expect(gaps.body).toEqual({ items: [{ number: 1 }, { number: 2 }], count: 2 });
  });

  it('is a problem like any other when it fails before its first part', async () => {
    const response = await responseOf(async function* () {
      yield await Promise.reject<Item[]>(new AppError('cursor_expired'));
    });
    expect(response.status).toBe(410);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.body).toMatchObject({ code: 'cursor_expired' });
  });

  it('is aborted when it fails later, so that no client takes a part for the whole', async () => {
    const failing = responseOf(async function* () {
      yield [item(1)];
      yield await Promise.reject<Item[]>(new Error('the database is unavailable'));
    });
    await expect(failing).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it('ends with what the contract declares, or is cut', async () => {
    const items = async function* () {
      yield [item(1)];
    };
    const more = await responseOf(items, { count: 1, secret: 'not in the contract' });
    expect(more.body).toEqual({ items: [{ number: 1 }], count: 1 });
    const unfit = responseOf(items, { count: 0.5 });
    await expect(unfit).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it('counts as what it failed with', async () => {
    const logged = Promise.withResolvers<number>();
    const failing = async function* () {
      yield [item(1)];
      yield await Promise.reject<Item[]>(new AppError('service_unavailable'));
    };
    const app = appOf(failing, { onResponse: ({ status }) => logged.resolve(status) });
    await expect(request(app).get('/api/numbers')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    expect(await logged.promise).toBe(503);
  });

  it('stops when the client disconnects', async () => {
    let made = 0;
    const ended = Promise.withResolvers<void>();
    const server = appOf(async function* () {
      try {
        for (; made < 1_000_000; made += 1) {
          yield [item(made)];
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      } finally {
        ended.resolve();
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const request = get({ port: (server.address() as AddressInfo).port, path: '/api/numbers' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.on('error', () => undefined);
    request.destroy();
    await ended.promise;
    expect(made).toBeLessThan(1_000_000);
    server.close();
  });
});
