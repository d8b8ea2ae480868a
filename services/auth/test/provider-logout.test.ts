import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sessionId, type OperatorId } from '@commonplace/contracts';
import { endProviderSessions } from '../src/commands/end-provider-sessions.ts';
import { purgeExpired } from '../src/commands/purge-expired.ts';
import { SessionStore } from '../src/sessions/session-store.ts';
import { createWorld, type World } from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const issuer = 'https://provider.example';

type Person = {
  readonly operatorId: OperatorId;
  readonly identityId: string;
  readonly subject: string;
};

const linkedPerson = async (): Promise<Person> => {
  const subject = randomUUID();
  const { id: operatorId } = await world.operator(`${subject}@example.org`);
  const identityId = newId();
  await world.sql(
    `insert into auth.identities (id, operator_id, issuer, subject, created_at)
     values ($1, $2, $3, $4, now())`,
    [identityId, operatorId, issuer, subject],
  );
  return { operatorId, identityId, subject };
};

/** Stores the session of a sign-in through the provider. */
const begin = ({ operatorId, identityId }: Person, sid: string | null, begunAtMs: number) =>
  new Promise<void>((resolve, reject) =>
    new SessionStore(world.deps).set(
      newId(),
      {
        cookie: { originalMaxAge: null },
        signedIn: {
          sessionId: sessionId.parse(newId()),
          operatorId,
          epoch: 1,
          address: '192.0.2.1',
          userAgent: null,
          method: 'oidc',
          provider: { identityId, sid, idToken: null, begunAtMs },
        },
      },
      (error) => (error ? reject(error as Error) : resolve()),
    ),
  );

const logOut = (subject: string | null, sid: string | null) =>
  endProviderSessions(world.deps, { issuer, jti: randomUUID(), subject, sid });

const countOf = async ({ operatorId }: Person): Promise<number> =>
  (await world.sql('select from auth.sessions where operator_id = $1', [operatorId])).length;

const nowMs = (): number => world.clock().getTime();

describe('a logout at the provider', () => {
  it.each<
    [string, string | null, (sid: string, subject: string) => [string | null, string | null]]
  >([
    ['its subject', 'sid', (_sid, subject) => [subject, null]],
    ['its session', 'sid', (sid) => [null, sid]],
    ['both', 'sid', (sid, subject) => [subject, sid]],
    ['both, to a session without a sid', null, (sid, subject) => [subject, sid]],
  ])(
    'that names %s ends sign-ins that began before it, not later ones',
    async (_, kind, naming) => {
      const person = await linkedPerson();
      const named = randomUUID();
      const sid = kind === null ? null : named;
      const begunAtMs = nowMs();
      world.passSeconds(5);
      const [subject, ended] = naming(named, person.subject);
      await logOut(subject, ended);
      await purgeExpired(world.deps);
      await expect(begin(person, sid, begunAtMs)).rejects.toMatchObject({ code: 'oidc_refused' });
      world.passSeconds(1);
      await begin(person, sid, nowMs());
      expect(await countOf(person)).toBe(1);
    },
  );

  it('of another person or session ends nothing', async () => {
    const person = await linkedPerson();
    const begunAtMs = nowMs();
    await logOut(randomUUID(), null);
    await logOut(person.subject, 'another');
    await logOut(null, 'another');
    await begin(person, 'its own', begunAtMs);
    expect(await countOf(person)).toBe(1);
  });

  it('at the moment of the sign-in leaves no session', async () => {
    for (let round = 0; round < 40; round += 1) {
      const person = await linkedPerson();
      const begunAtMs = nowMs();
      const [started] = await Promise.allSettled([
        begin(person, 'sid', begunAtMs),
        logOut(person.subject, round % 2 === 0 ? 'sid' : null),
      ]);
      expect([started.status, await countOf(person)]).toEqual([started.status, 0]);
    }
  });
});
