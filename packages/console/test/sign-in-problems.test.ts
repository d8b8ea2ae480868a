import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { signInProblems } from '../src/components/sign-in-problems.ts';

type Operation = {
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
};
type Document = { readonly paths: Readonly<Record<string, { readonly get?: Operation }>> };

/** Of the gateway before it sends the request on, and of failures: nobody is redirected for those. */
const notRedirected = new Set([
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
  const path = join(import.meta.dirname, '../../../docs/openapi.json');
  const { paths } = JSON.parse(await readFile(path, 'utf8')) as Document;
  const codes = ['/api/auth/oidc/start', '/api/auth/oidc/callback'].flatMap((route) =>
    Object.values(paths[route]?.get?.responses ?? {}).flatMap(({ description = '' }) =>
      [...description.matchAll(/`([a-z_]+)`: /g)].map((match) => match[1] ?? ''),
    ),
  );
  expect(codes).toContain('oidc_refused');
  const unexplained = codes.filter((code) => !(code in signInProblems) && !notRedirected.has(code));
  expect([...new Set(unexplained)]).toEqual([]);
});
