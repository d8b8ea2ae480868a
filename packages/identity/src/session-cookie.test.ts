import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  clearedSessionCookie,
  readSessionId,
  sessionCookieKeys,
  sessionCookieName,
  sessionDigest,
  signedSessionCookie,
} from './session-cookie.ts';

const secrets = ['current session secret of 32 bytes..', 'former session secret of 32 bytes...'];
const keys = sessionCookieKeys(secrets);
const name = sessionCookieName(false);
const sid = 'Zk3xq9-_uP0aR7bW2cY5dE8fG1hJ4kL6';

/** The value as express-session writes it. */
const valueOf = (id: string, secret: string | undefined = secrets[0]): string => {
  const signature = createHmac('sha256', secret ?? '')
    .update(id)
    .digest('base64')
    .replace(/=+$/, '');
  return encodeURIComponent(`s:${id}.${signature}`);
};

const read = (header: string | undefined) => readSessionId(keys, header, name);

describe('readSessionId', () => {
  it('reads an id that a current or a former secret signed', () => {
    expect(read(`${name}=${valueOf(sid)}`)).toEqual({ sid });
    expect(read(`${name}=${valueOf(sid, secrets[1])}`)).toEqual({ sid });
  });

  it('finds the cookie among others, and takes the first of several', () => {
    const others = `theme=dark; ${name}=${valueOf(sid)};last=1; ${name}=${valueOf('another')}`;
    expect(read(others)).toEqual({ sid });
  });

  it('takes no name with a space behind it, which another reader would not take for ours', () => {
    expect(read(`${name} =${valueOf('another')}; ${name}=${valueOf(sid)}`)).toEqual({ sid });
  });

  it('says null when there is no such cookie', () => {
    expect(read(undefined)).toBeNull();
    expect(read('')).toBeNull();
    expect(read(`x${name}=${valueOf(sid)}; __Host-${name}=${valueOf(sid)}; ${name}`)).toBeNull();
  });

  it.each([
    ['a foreign secret', valueOf(sid, 'a secret of somebody else, 32 bytes.')],
    ['another id', valueOf(sid).replace('Zk3', 'Zk4')],
    ['no signature', encodeURIComponent(`s:${sid}`)],
    ['an empty signature', encodeURIComponent(`s:${sid}.`)],
    ['an unsigned id', sid],
    ['an empty value', ''],
    ['broken escapes', '%E0%A4%A'],
    ['letters of several bytes', `s:${sid}.${'é'.repeat(43)}`],
  ])('refuses %s', (_what, value) => {
    expect(read(`${name}=${value}`)).toBe('bad signature');
  });
});

describe('sessionDigest', () => {
  it('is the hex SHA-256 of the id', () => {
    expect(sessionDigest('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('under https', () => {
  it('the cookie is bound to its host and cleared with the same attributes', () => {
    expect(sessionCookieName(true)).toBe('__Host-commonplace.sid');
    expect(clearedSessionCookie(true)).toMatch(/^__Host-commonplace\.sid=; Path=\/; .*Secure/);
    expect(clearedSessionCookie(false)).not.toContain('Secure');
  });

  it('a signed cookie is one that express-session would send and that is read here', () => {
    const [secret = ''] = secrets;
    expect(signedSessionCookie(secret, sid, false)).toBe(
      `${name}=${valueOf(sid)}; Path=/; HttpOnly; SameSite=Strict`,
    );
    expect(signedSessionCookie(secret, sid, true)).toBe(
      `__Host-${name}=${valueOf(sid)}; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(read(signedSessionCookie(secret, sid, false))).toEqual({ sid });
  });
});
