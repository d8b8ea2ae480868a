import { describe, expect, it } from '@jest/globals';
import { agentId, companyId, keyId, newId, operatorId } from '@commonplace/contracts';
import jwt from 'jsonwebtoken';
import {
  identityMinter,
  identityVerifier,
  signingKeys,
  type AgentCaller,
  type Caller,
} from '../src/index.ts';

const keys = signingKeys([
  'first-internal-identity-secret-000001',
  'second-internal-identity-secret-00001',
]);
const rotated = signingKeys([
  'second-internal-identity-secret-00001',
  'third-internal-identity-secret-000001',
]);
const foreignKeys = signingKeys(['a-foreign-internal-identity-secret-01']);

const agent: AgentCaller = {
  kind: 'agent',
  agentId: agentId.parse(newId()),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: companyId.parse(newId()),
  keyId: keyId.parse(newId()),
  runId: null,
  scopes: null,
  expiresAt: null,
};
const nowMs = Date.UTC(2026, 0, 1);
const verify = identityVerifier(keys);

/** Signs any claims; `undefined` leaves a claim out. */
const forge = (claims: object, header: object = {}, key = keys): string =>
  jwt.sign(JSON.parse(JSON.stringify(claims)) as object, key.signing.key, {
    header: { alg: 'HS256', typ: 'int+jwt', kid: key.signing.kid, ...header },
  });
const iat = nowMs / 1000;
const goodClaims = {
  iss: 'gateway',
  aud: 'commonplace-services',
  iat,
  exp: iat + 10,
  caller: agent,
};

describe('a signed identity', () => {
  it('says who calls for ten seconds, remembered or not', () => {
    const token = identityMinter(keys, 'gateway')(agent, nowMs);
    expect(verify(token, nowMs)?.caller).toEqual(agent);
    expect(verify(token, nowMs + 9_000)?.caller).toEqual(agent);
    expect(verify(token, nowMs + 10_000)).toBeNull();
    expect(identityVerifier(keys)(token, nowMs + 11_000)).toBeNull();
  });

  it('is distinguished from a forged one when only the clocks of its issuer and its reader differ', () => {
    const token = identityMinter(keys, 'gateway')(agent, nowMs);
    expect(verify.findClockDifference(token, nowMs + 60_000)).toEqual({
      issuer: 'gateway',
      aheadSeconds: -60,
    });
    expect(verify.findClockDifference(token, nowMs - 60_000)?.aheadSeconds).toBe(60);
    const foreign = identityMinter(foreignKeys, 'gateway')(agent, nowMs);
    const invalid = [foreign, forge({ ...goodClaims, exp: iat + 60 }), forge({}), 'a.b.c'];
    for (const each of invalid) {
      expect(verify.findClockDifference(each, nowMs + 60_000)).toBeNull();
    }
  });

  it('carries the scopes of an agent, and without any stands for all', () => {
    const mint = identityMinter(keys, 'gateway');
    const reader: Caller = { ...agent, scopes: ['notes:read'] };
    expect(verify(mint(reader, nowMs), nowMs)?.caller).toEqual(reader);
    const powerless: Caller = { ...agent, scopes: [] };
    expect(verify(mint(powerless, nowMs), nowMs)?.caller).toEqual(powerless);
    const { scopes: _none, ...ofAnOlderGateway } = agent;
    const token = forge({ ...goodClaims, caller: ofAnOlderGateway });
    expect(verify(token, nowMs)?.caller).toEqual(agent);
  });

  it('is of a kind that older services reject when its agent has fewer than all scopes', () => {
    const token = identityMinter(keys, 'gateway')({ ...agent, scopes: ['notes:read'] }, nowMs);
    const payload = jwt.decode(token) as { caller: { kind: string } };
    expect(payload.caller.kind).toBe('scoped_agent');
  });

  it('carries the grants of a viewer, in a kind that older services reject', () => {
    const viewer: Caller = {
      kind: 'operator',
      operatorId: operatorId.parse(newId()),
      name: 'Vera',
      email: 'vera@example.org',
      isAdmin: false,
      isLocal: false,
      sessionId: null,
      selectedCompanyId: null,
      companies: [
        { companyId: agent.companyId, role: 'owner', companyStatus: 'active' },
        {
          companyId: companyId.parse(newId()),
          role: 'viewer',
          companyStatus: 'active',
          grants: [{ folder: 'sales', scope: 'read', mode: 'direct' }],
        },
      ],
    };
    const token = identityMinter(keys, 'gateway')(viewer, nowMs);
    expect(verify(token, nowMs)?.caller).toEqual(viewer);
    const payload = jwt.decode(token) as { caller: { kind: string } };
    expect(payload.caller.kind).toBe('granted_operator');
  });

  it('stays good while its secret is anywhere in the list, and no longer', () => {
    const old = identityMinter(signingKeys(['second-internal-identity-secret-00001']), 'gateway')(
      agent,
      nowMs,
    );
    expect(identityVerifier(rotated)(old, nowMs)).not.toBeNull();
    expect(identityVerifier(foreignKeys)(old, nowMs)).toBeNull();
  });

  it.each([
    ['signed with a foreign key', forge(goodClaims, {}, foreignKeys)],
    [
      'signed with a foreign key under our key id',
      forge(goodClaims, { kid: keys.signing.kid }, foreignKeys),
    ],
    ['of another type', forge(goodClaims, { typ: 'JWT' })],
    ['with a crit header', forge(goodClaims, { crit: ['b64'] })],
    ['without a key id', forge(goodClaims, { kid: undefined })],
    ['without an expiry', forge({ ...goodClaims, exp: undefined })],
    ['that lives too long', forge({ ...goodClaims, exp: iat + 3600 })],
    ['for another audience', forge({ ...goodClaims, aud: 'somebody-else' })],
    ['from an unknown issuer', forge({ ...goodClaims, iss: 'mallory' })],
    ['of an agent, issued by a service', forge({ ...goodClaims, iss: 'notes' })],
    [
      'of one service, issued by another',
      forge({ ...goodClaims, iss: 'notes', caller: { kind: 'service', service: 'auth' } }),
    ],
    ['with a caller that is none', forge({ ...goodClaims, caller: { kind: 'root' } })],
    ['that is no token', 'nonsense'],
    ['that is empty', ''],
  ])('is refused when it is one %s', (_title, token) => {
    expect(verify(token, nowMs)).toBeNull();
  });

  it('is refused with algorithm none', () => {
    const [, payload] = forge(goodClaims).split('.');
    const header = Buffer.from(
      JSON.stringify({ alg: 'none', typ: 'int+jwt', kid: keys.signing.kid }),
    ).toString('base64url');
    expect(verify(`${header}.${payload}.`, nowMs)).toBeNull();
  });
});
