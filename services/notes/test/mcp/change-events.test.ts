import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { CompanyId } from '@commonplace/contracts';
import { startChangeEvents } from '../../src/mcp/change-events.ts';
import type { McpSession } from '../../src/mcp/mcp-session.ts';
import { aCompany, anAgent, aNoteId, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

/** A session whose head the test announces, and whose reads of changed notes the test delays. */
const makeSession = (id: CompanyId, afterRead: () => Promise<void>) => {
  const { db, ...deps } = world.deps[0] as NotesWorld['deps'][number];
  const heads: ((head: number) => void)[] = [];
  const feed = {
    ...deps.feed,
    subscribe: (_: CompanyId, listener: (head: number) => void) => {
      heads.push(listener);
      return () => undefined;
    },
  };
  const connect = async () => delayed(await db.pool.connect(), afterRead);
  const pool = { connect } as unknown as pg.Pool;
  const session = {
    deps: { ...deps, feed, db: { ...db, pool } },
    company: { id, reach: { companyId: id, folders: null } },
  };
  return {
    session: session as unknown as McpSession,
    onHead: (head: number) => heads.forEach((listener) => listener(head)),
  };
};

type Query = { text?: string; callback?: (error: Error | null, result: unknown) => unknown };

/** A connection on which the changed notes arrive after some other work. */
const delayed = (client: pg.PoolClient, work: () => Promise<void>): pg.PoolClient =>
  new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'query') {
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (query: Query) => {
        const { callback, text } = query;
        const isOfChanges = text?.includes('order by n.change_no') ?? false;
        if (callback && isOfChanges) {
          query.callback = async (...result) => {
            const failure = await work().then(
              () => null,
              (error: Error) => error,
            );
            const [error, rows] = result;
            callback(failure ?? error, failure ? null : rows);
          };
        }
        const sent: unknown = client.query(query as unknown as string);
        // On Citus a read is a statement within a transaction, which is waited for.
        return callback || !isOfChanges ? sent : respondAfter(work, sent as Promise<unknown>);
      };
    },
  });

const respondAfter = async <Result>(
  work: () => Promise<void>,
  sent: Promise<Result>,
): Promise<Result> => {
  const result = await sent;
  await work();
  return result;
};

it('a note that changes while the changes before it are read is announced, too', async () => {
  const company = aCompany();
  const api = world.as(anAgent(company));
  const ids = [aNoteId(), aNoteId(), aNoteId()];
  const write = (id = '') => api.put(`/api/notes/${id}`).send({ title: 'x' }).expect(201);
  await write(ids[0]);
  let reads = 0;
  const { session, onHead } = makeSession(company, async () => {
    reads += 1;
    if (reads === 1) {
      await write(ids[2]);
      onHead(3);
    }
  });
  const seen: string[] = [];
  const complete = Promise.withResolvers<void>();
  const { bus, stop } = await startChangeEvents(session, (error) => complete.reject(error));
  bus.subscribe((event) => {
    if (event.kind === 'resource_updated') {
      seen.push(event.uri);
    }
    if (seen.length === 2) {
      complete.resolve();
    }
  });
  await write(ids[1]);
  onHead(2);
  await complete.promise;
  stop();
  expect(seen).toEqual([`note://${ids[1]}`, `note://${ids[2]}`]);
});

it('a note that changes while the subscription begins is announced', async () => {
  const company = aCompany();
  const id = aNoteId();
  const { session, onHead } = makeSession(company, async () => undefined);
  const starting = startChangeEvents(session, () => undefined);
  await world.as(anAgent(company)).put(`/api/notes/${id}`).send({ title: 'x' }).expect(201);
  // As if the head had been read before that.
  onHead(2);
  const { bus, stop } = await starting;
  await world.as(anAgent(company)).put(`/api/notes/${aNoteId()}`).send({ title: 'y' }).expect(201);
  const first = Promise.withResolvers<unknown>();
  bus.subscribe((event) => first.resolve(event));
  expect(await first.promise).toMatchObject({ kind: 'resource_updated' });
  stop();
});

it('a change that could not be read is announced later', async () => {
  const company = aCompany();
  const id = aNoteId();
  let reads = 0;
  const { session, onHead } = makeSession(company, async () => {
    reads += 1;
    if (reads === 1) {
      throw new Error('The database is unavailable');
    }
  });
  const failures: unknown[] = [];
  const { bus, stop } = await startChangeEvents(session, (error) => failures.push(error));
  const announced = Promise.withResolvers<unknown>();
  bus.subscribe((event) => announced.resolve(event));
  await world.as(anAgent(company)).put(`/api/notes/${id}`).send({ title: 'x' }).expect(201);
  onHead(1);
  expect(await announced.promise).toEqual({ kind: 'resource_updated', uri: `note://${id}` });
  expect(failures).toHaveLength(1);
  stop();
});

it('a note is announced once by each of the URIs to which the client subscribed', async () => {
  const company = aCompany();
  const [id, other] = [aNoteId(), aNoteId()];
  const api = world.as(anAgent(company));
  const { session, onHead } = makeSession(company, () => Promise.resolve());
  const uris = [`note://${id.toUpperCase()}`, `note://${id}?from=0&maxBytes=10`, 'note://x?y'];
  const seen: string[] = [];
  const complete = Promise.withResolvers<void>();
  const { bus, stop } = await startChangeEvents(session, (error) => complete.reject(error), [
    ...uris,
    ...uris,
  ]);
  bus.subscribe((event) => {
    if (event.kind === 'resource_updated') {
      seen.push(event.uri);
    } else {
      complete.resolve();
    }
  });
  await api.put(`/api/notes/${id}`).send({ title: 'x' }).expect(201);
  await api.put(`/api/notes/${other}`).send({ title: 'x' }).expect(201);
  onHead(2);
  await complete.promise;
  stop();
  expect(seen).toEqual([...uris.slice(0, 2), `note://${other}`]);
});
