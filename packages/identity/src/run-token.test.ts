import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { agentId, companyId, runId } from '@commonplace/contracts/core';
import { findRunTokenClockDifference, signRunToken, verifyRunToken } from './run-token.ts';
import { signingKeys } from './signing-keys.ts';

const oldSecret = 'an older secret of more than thirty-two bytes';
const newSecret = 'a newer secret of more than thirty-two bytes!';
const keys = signingKeys([newSecret, oldSecret]);
const nowMs = Date.UTC(2026, 10, 21, 12);
const nowSeconds = nowMs / 1000;

const claims = {
  agentId: agentId.parse('0198a000-0000-7000-8000-000000000001'),
  companyId: companyId.parse('0198a000-0000-7000-8000-000000000002'),
  runId: runId.parse('0198a000-0000-7000-8000-000000000003'),
  tokenId: '0198a000-0000-7000-8000-000000000004',
  issuedAtSeconds: nowSeconds,
  expiresAtSeconds: nowSeconds + 900,
};

const wire: Record<string, unknown> = {
  iss: 'commonplace-auth',
  aud: 'commonplace-gateway',
  sub: claims.agentId,
  company_id: claims.companyId,
  run_id: claims.runId,
  jti: claims.tokenId,
  iat: claims.issuedAtSeconds,
  exp: claims.expiresAtSeconds,
};

type Forgery = { header?: object; payload?: unknown; secret?: string; hash?: string };

/** A token with a good signature by somebody who knows the secret, with any header and payload. */
const forge = ({ header = {}, payload = wire, secret = newSecret, hash = 'sha256' }: Forgery) => {
  const fullHeader = { alg: 'HS256', typ: 'run+jwt', kid: keys.signing.kid, ...header };
  const signed = [fullHeader, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
};

const read = (token: string, atMs = nowMs) => verifyRunToken(keys, token, atMs);

describe('verifyRunToken', () => {
  it('reads what signRunToken wrote', () => {
    expect(read(signRunToken(keys, claims))).toEqual(claims);
    expect(read(forge({}))).toEqual(claims);
  });

  it('reads a token signed with an older secret that is still in the list', () => {
    expect(read(signRunToken(signingKeys([oldSecret]), claims))).toEqual(claims);
  });

  it('refuses a token from the second of its expiry on', () => {
    const token = signRunToken(keys, claims);
    expect(read(token, claims.expiresAtSeconds * 1000 - 1)).toEqual(claims);
    expect(read(token, claims.expiresAtSeconds * 1000)).toBeNull();
  });

  it('refuses every algorithm but HS256, none above all', () => {
    const unsigned = forge({ header: { alg: 'none' } });
    expect(read(unsigned)).toBeNull();
    expect(read(unsigned.slice(0, unsigned.lastIndexOf('.') + 1))).toBeNull();
    expect(read(forge({ header: { alg: 'HS512' }, hash: 'sha512' }))).toBeNull();
    expect(read(forge({ header: { alg: 'RS256' } }))).toBeNull();
  });

  it('refuses another type of token, such as an internal identity', () => {
    expect(read(forge({ header: { typ: 'JWT' } }))).toBeNull();
    expect(read(forge({ header: { typ: 'int+jwt' } }))).toBeNull();
    expect(read(forge({ header: { typ: undefined } }))).toBeNull();
  });

  it('rejects an unknown or absent key id, and never tries one key after another', () => {
    expect(read(forge({ header: { kid: 'unknown' } }))).toBeNull();
    expect(read(forge({ header: { kid: undefined } }))).toBeNull();
    expect(read(forge({ header: { kid: '__proto__' } }))).toBeNull();
    expect(read(forge({ secret: oldSecret }))).toBeNull();
  });

  it('refuses critical header extensions', () => {
    expect(read(forge({ header: { crit: ['exp'] } }))).toBeNull();
  });

  it.each(Object.keys(wire))('refuses a token without %s', (name) => {
    expect(read(forge({ payload: { ...wire, [name]: undefined } }))).toBeNull();
  });

  it.each([
    ['iss', 'somebody'],
    ['aud', 'commonplace-services'],
    ['aud', ['commonplace-gateway', 'another']],
    ['sub', 'not a uuid'],
    ['company_id', 7],
    ['run_id', null],
    ['jti', ''],
    ['iat', String(nowSeconds)],
    ['iat', nowSeconds + 0.5],
    ['iat', nowSeconds + 60],
    ['exp', nowSeconds + 3_601],
    ['exp', 'never'],
    ['exp', Number.MAX_SAFE_INTEGER],
  ])('refuses %s: %j', (name, value) => {
    expect(read(forge({ payload: { ...wire, [name]: value } }))).toBeNull();
  });

  it.each([null, 'text', 7, [], {}])('refuses the payload %j', (payload) => {
    expect(read(forge({ payload }))).toBeNull();
  });

  it('refuses a changed payload, a cut token and what is no token at all', () => {
    const [header, , signature] = forge({}).split('.');
    const [, payload] = forge({ payload: { ...wire, sub: claims.runId } }).split('.');
    expect(read([header, payload, signature].join('.'))).toBeNull();
    expect(read([header, payload].join('.'))).toBeNull();
    for (const text of ['', '.', '..', 'a.b.c', 'null', '\u0000']) {
      expect(read(text)).toBeNull();
    }
  });

  it('distinguishes a token of a fast clock from a forged or an expired one', () => {
    const ahead = { ...wire, iat: nowSeconds + 60, exp: nowSeconds + 960 };
    const differenceOf = (token: string) => findRunTokenClockDifference(keys, token, nowMs);
    expect(differenceOf(forge({ payload: ahead }))).toEqual({ issuer: 'auth', aheadSeconds: 60 });
    expect(differenceOf(forge({ payload: ahead, secret: oldSecret }))).toBeNull();
    expect(differenceOf(forge({ payload: { ...ahead, exp: nowSeconds + 9_999 } }))).toBeNull();
    expect(
      differenceOf(forge({ payload: { ...wire, iat: nowSeconds - 99, exp: nowSeconds - 9 } })),
    ).toBeNull();
    expect(differenceOf('a.b.c')).toBeNull();
  });

  it('refuses more than 4 KB although the signature is good', () => {
    expect(read(forge({ payload: { ...wire, more: 'x'.repeat(4_096) } }))).toBeNull();
  });
});
