import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sessionId, type OperatorId } from '@commonplace/contracts';
import { sessionDigest } from '@commonplace/identity';
import { SessionStore } from '../src/sessions/session-store.ts';
import { cookieFor, createWorld, sessionIdIn, type World } from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type SessionData = Parameters<SessionStore['set']>[1];

const cookie: SessionData['cookie'] = { originalMaxAge: null };

/** The store's callbacks as promises. */
const promisifyStore = (store: SessionStore) => {
  const promisify = <Result>(start: (done: (error?: unknown, result?: Result) => void) => void) =>
    new Promise<Result | undefined>((resolve, reject) =>
      start((error, result) => (error ? reject(error as Error) : resolve(result))),
    );
  return {
    get: (sid: string) => promisify<SessionData | null>((done) => store.get(sid, done)),
    set: (sid: string, data: SessionData) => promisify((done) => store.set(sid, data, done)),
    destroy: (sid: string) => promisify((done) => store.destroy(sid, done)),
    touch: (sid: string, data: SessionData) => promisify((done) => store.touch(sid, data, done)),
    load: (sid: string) => promisify<SessionData>((done) => store.load(sid, done)),
  };
};

const begin = async (operatorId: OperatorId, epoch = 1) => {
  const store = promisifyStore(new SessionStore(world.deps));
  const sid = newId();
  const data: SessionData = {
    cookie,
    signedIn: {
      sessionId: sessionId.parse(newId()),
      operatorId,
      epoch,
      address: '192.0.2.1',
      userAgent: null,
    },
  };
  await store.set(sid, data);
  return { store, sid, data };
};

const rowsOf = (sid: string) =>
  world.sql('select * from auth.sessions where sid = $1', [sessionDigest(sid)]);

describe('the session store', () => {
  it('stores the digest of an id, never the id', async () => {
    await world.operator('digest@example.org');
    const sid = sessionIdIn(await cookieFor(world.app, 'digest@example.org'));
    expect(await rowsOf(sid)).toHaveLength(1);
    const everything = JSON.stringify(await world.sql('select * from auth.sessions'));
    expect(everything).not.toContain(sid);
  });

  it('returns what was stored, also to another replica', async () => {
    const { id } = await world.operator('back@example.org');
    const { sid, data } = await begin(id);
    const found = await promisifyStore(new SessionStore(world.deps)).get(sid);
    expect(found?.signedIn).toEqual(data.signedIn);
    expect(await promisifyStore(new SessionStore(world.deps)).get('another')).toBeNull();
  });

  it('does not revive a session that ended while a request held it', async () => {
    const { id } = await world.operator('revived@example.org');
    const { sid, data, store } = await begin(id);
    const elsewhere = promisifyStore(new SessionStore(world.deps));
    const held = await elsewhere.load(sid);
    await store.destroy(sid);
    await elsewhere.set(sid, held as SessionData);
    await store.set(sid, data);
    await store.touch(sid, data);
    expect(await rowsOf(sid)).toEqual([]);
  });

  it('saves changes of an active session', async () => {
    const { id } = await world.operator('saved@example.org');
    const { sid, store } = await begin(id);
    const held = (await store.load(sid)) as SessionData & { theme?: string };
    held.theme = 'dark';
    await store.set(sid, held);
    expect(await store.get(sid)).toMatchObject({ theme: 'dark' });
  });

  it('does not write to extend a session', async () => {
    const { id } = await world.operator('touched@example.org');
    const { sid, store, data } = await begin(id);
    const before = await rowsOf(sid);
    world.passSeconds(600);
    await store.touch(sid, data);
    expect(await rowsOf(sid)).toEqual(before);
  });

  it('finds no session past its limits, of an old epoch or of a disabled operator', async () => {
    const { id } = await world.operator('limits@example.org');
    const [idle, former, disabled] = [await begin(id), await begin(id), await begin(id)];
    await world.sql('update auth.sessions set session_epoch = 0 where sid = $1', [
      sessionDigest(former.sid),
    ]);
    expect(await former.store.get(former.sid)).toBeNull();
    expect(await idle.store.get(idle.sid)).not.toBeNull();
    world.passSeconds(60 * 60);
    expect(await idle.store.get(idle.sid)).toBeNull();
    const fresh = await begin(id);
    await world.sql('update auth.operators set disabled_at = now() where id = $1', [id]);
    expect(await fresh.store.get(fresh.sid)).toBeNull();
    expect(await disabled.store.get(disabled.sid)).toBeNull();
  });

  it('starts none of an old epoch, or for a disabled operator', async () => {
    const { id } = await world.operator('overtaken@example.org');
    await expect(begin(id, 0)).rejects.toMatchObject({ code: 'invalid_credentials' });
    await world.sql('update auth.operators set disabled_at = now() where id = $1', [id]);
    await expect(begin(id)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await world.sql('select from auth.sessions where operator_id = $1', [id])).toEqual([]);
  });

  it('stores no session without an operator', async () => {
    const store = promisifyStore(new SessionStore(world.deps));
    await expect(store.set(newId(), { cookie })).rejects.toThrow(
      /without an operator cannot be stored/,
    );
  });

  it('uses UTC in any time zone of the connection: a session lasts its hour', async () => {
    const { id } = await world.operator('utc@example.org');
    const { sid } = await begin(id);
    const [row] = await rowsOf(sid);
    const expire = row?.['expire'] as Date;
    expect(expire.getTime() - world.deps.clock().getTime()).toBe(60 * 60 * 1000);
  });
});
