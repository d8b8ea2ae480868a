import type { ServerResponse } from 'node:http';
import type { IdentityProvider } from './identity-provider.ts';

/** A response that is none of the protocol. */
export type Nonsense = (res: ServerResponse) => unknown;

const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Nonsense =>
  (res) =>
    res.writeHead(status, headers).end();

/** A response with this JSON. */
export const withJson =
  (value: unknown): Nonsense =>
  (res) =>
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/** What a provider, or a proxy in front of it, may respond with in place of any document. */
export const nonsense: readonly (readonly [string, Nonsense])[] = [
  ['a page', (res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Soon</h1>')],
  ['404', withStatus(404)],
  ['429', withStatus(429)],
  ['a redirect', withStatus(302, { Location: 'https://example.org/' })],
  [
    'half of its JSON',
    (res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"'),
  ],
];

/** The provider responds so to requests of a path, and as ever to others. */
export const misbehaveAt = ({ state }: IdentityProvider, path: string, respond: Nonsense): void => {
  state.intercept = (req, res) => {
    const isMeant = req.url === path;
    if (isMeant) {
      respond(res);
    }
    return isMeant;
  };
};
