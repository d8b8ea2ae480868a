import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

type Operation = {
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
};
type Document = { readonly paths: Readonly<Record<string, { readonly get?: Operation }>> };

/** Of the gateway before it sends the request on, of bodies and of failures: nobody is redirected for those. */
const notRedirected = new Set([
  'malformed_json',
  'ambiguous_target',
  'malformed_header',
  'malformed_request',
  'forwarded_request',
  'request_timeout',
  'target_too_long',
  'expectation_failed',
  'misdirected_request',
  'headers_too_large',
  'unexpected_failure',
  'bad_upstream',
  'upstream_timeout',
]);

it('the sign-in page explains every refusal that the routes of single sign-on redirect to it', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, path), 'utf8');
  const { paths } = JSON.parse(await read('../../../docs/openapi.json')) as Document;
  const texts = await read('../src/components/sign-in-problems.ts');
  const explained = new Set([...texts.matchAll(/^ {2}([a-z_]+):/gm)].map((match) => match[1]));
  const codes = ['/api/auth/oidc/start', '/api/auth/oidc/callback'].flatMap((route) =>
    Object.values(paths[route]?.get?.responses ?? {}).flatMap(({ description = '' }) =>
      [...description.matchAll(/`([a-z_]+)`: /g)].map((match) => match[1] ?? ''),
    ),
  );
  expect(codes).toContain('oidc_refused');
  expect(explained).toContain('oidc_refused');
  const unexplained = codes.filter((code) => !explained.has(code) && !notRedirected.has(code));
  expect([...new Set(unexplained)]).toEqual([]);
});
