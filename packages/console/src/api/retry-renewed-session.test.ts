import { expect, it } from '@jest/globals';
import { retryRenewedSession } from './retry-renewed-session.ts';

const origin = 'http://localhost';
const session = () => new Request(`${origin}/api/auth/session`);
const ok = () => Response.json({});
const refused = (code: string) => () => Response.json({ code }, { status: 401 });
const expired = refused('session_expired');

/** A server that gives these responses one after another, and what it was sent. */
const serverOf = (...responses: readonly (() => Response)[]) => {
  const sent: string[] = [];
  const send = retryRenewedSession(async (request) => {
    sent.push(`${request.method} ${await request.text()}`.trim());
    return (responses[sent.length - 1] ?? expired)();
  }, 1);
  return { send, sent };
};

it('a change that crosses a confirmation is sent again, as it was', async () => {
  const { send, sent } = serverOf(ok, expired, ok);
  await send(session());
  const change = new Request(`${origin}/api/companies`, { method: 'POST', body: 'Acme' });
  expect((await send(change)).status).toBe(200);
  expect(sent).toEqual(['GET', 'POST Acme', 'POST Acme']);
});

it('a session has ended when it is not found twice; what follows is refused at once', async () => {
  const { send, sent } = serverOf(ok);
  await send(session());
  expect((await send(session())).status).toBe(401);
  expect(sent).toHaveLength(3);
  expect((await send(session())).status).toBe(401);
  expect(sent).toHaveLength(4);
});

it.each([
  ['a stale cookie on the first page', [expired]],
  ['a wrong password', [ok, refused('invalid_credentials')]],
  ['a browser without a cookie', [ok, refused('credential_required')]],
])('%s is no reason to wait', async (_, responses) => {
  const { send, sent } = serverOf(...responses);
  for (const _response of responses) {
    await send(session());
  }
  expect(sent).toHaveLength(responses.length);
});
