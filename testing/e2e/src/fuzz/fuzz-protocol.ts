import { protocolRoutes } from '@commonplace/contracts/auth';
import fc from 'fast-check';

/** A request to a route of OAuth, as raw as a client can make it. */
export type ProtocolRequest = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** What is right in a request of the registered client. */
export type ValidValues = Readonly<Record<string, string>>;

const names = [
  'client_id',
  'client_assertion',
  'client_assertion_type',
  'client_name',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'grant_types',
  'id_token_hint',
  'jwks_uri',
  'prompt',
  'redirect_uri',
  'redirect_uris',
  'refresh_token',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'token',
  'token_type_hint',
  'no_such_parameter',
  '__proto__',
] as const;

/** Texts that parsers, addresses, headers and pages take differently from plain ones. */
const awkward = fc.constantFrom(
  '',
  ' ',
  '%',
  '%FF',
  '\u0000',
  '\ud800',
  '__proto__',
  'null',
  '[]',
  '{"a":1}',
  'https://evil.example/callback',
  '//evil.example',
  'javascript:alert(1)',
  'https://[::1',
  'http://127.0.0.1:99999/',
  'a\r\nset-cookie: x=1',
  '"><script>alert(1)</script>',
  'https://client.invalid/metadata.json',
  'cpc_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'x'.repeat(3_000),
);

const valueOf = (name: string, valid: ValidValues): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(Object.hasOwn(valid, name) ? String(valid[name]) : 'x') },
    { weight: 2, arbitrary: awkward },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

const pairsOf = (valid: ValidValues): fc.Arbitrary<readonly (readonly [string, string])[]> =>
  fc
    .subarray([...names], { minLength: 3 })
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map((name) =>
          valueOf(name, valid).map((value): readonly [string, string] => [name, value]),
        ),
      ),
    )
    .chain((pairs) => fc.constantFrom(pairs, pairs, pairs, [...pairs, ...pairs.slice(0, 1)]));

const encoded = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');

type Body = Pick<ProtocolRequest, 'body' | 'headers'>;

const bodyOf = (valid: ValidValues): fc.Arbitrary<Body> => {
  const types = fc.constantFrom('application/x-www-form-urlencoded', 'application/json');
  const text = fc.oneof(
    { weight: 4, arbitrary: pairsOf(valid).map(encoded) },
    {
      weight: 3,
      arbitrary: pairsOf(valid).map((pairs) => JSON.stringify(Object.fromEntries(pairs))),
    },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.constantFrom('', '%', '%FF=%FF', '&&==', '{', 'null') },
  );
  return fc.tuple(types, text).map(([type, body]) => ({ headers: { 'content-type': type }, body }));
};

const segment = fc.oneof(
  fc.string({ minLength: 43, maxLength: 43, unit: fc.constantFrom('a', 'Z', '0', '_', '-') }),
  fc.string({ minLength: 1, maxLength: 20 }).map(encodeURIComponent),
);

/** Requests to every route of the authorization server, some of them right. */
export const fuzzProtocol = (valid: ValidValues): fc.Arbitrary<ProtocolRequest> =>
  fc.constantFrom(...protocolRoutes).chain(({ operationId, method, path }) =>
    fc
      .tuple(
        segment.filter((text) => text !== '.' && text !== '..'),
        fc.oneof(pairsOf(valid).map(encoded), fc.constantFrom('', '%', '&&==', 'a=%FF')),
        method === 'post'
          ? bodyOf(valid)
          : fc.constant<Body>({ headers: { accept: 'text/html' }, body: undefined }),
      )
      .map(([uid, query, { headers, body }]) => ({
        operationId,
        method: method.toUpperCase(),
        path: `${path.replace('{uid}', () => uid)}${query === '' ? '' : `?${query}`}`,
        headers,
        body,
      })),
  );
