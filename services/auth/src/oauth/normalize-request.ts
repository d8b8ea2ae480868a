import { authorizeContract } from '@commonplace/contracts/auth';
import { connectionScopes } from '@commonplace/contracts/core';
import { canonicalResource } from './resources.ts';

/** The parameters of an authorization that this server knows. It must ignore all others (RFC 6749 section 3.1). */
const known = [
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'redirect_uri',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
] as const;

/** The parameters of an authorization as the library gets them; repeated ones stay, and are refused there. */
export const authorizationQuery = (query: string, resources: readonly string[]): string => {
  const given = new URLSearchParams(query);
  const params = new URLSearchParams();
  for (const name of known) {
    for (const value of given.getAll(name)) {
      params.append(name, normalized(name, value, resources));
    }
  }
  const scopes = params.getAll('scope');
  if (scopes.length <= 1) {
    params.set('scope', knownScopes(scopes[0]));
  }
  return params.toString();
};

/** The path at which an authorization begins again, from the parameters that the library got. */
export const restartPath = (params: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const each of [value].flat()) {
      if (typeof each === 'string') {
        query.append(name, each);
      }
    }
  }
  return `${authorizeContract.path}?${query.toString()}`;
};

const normalized = (name: string, value: string, resources: readonly string[]): string => {
  if (name === 'resource') {
    return canonicalResource(value, resources);
  }
  // Codes go back in the query alone: the library would also send them in fragments, and by a page with a script.
  return name === 'response_mode' && value !== 'query' ? 'unsupported' : value;
};

/**
 * The requested scopes that this server has. A client that names none, or only some of other servers, gets notes:
 * the operator decides in any case.
 */
const knownScopes = (given: string | undefined): string => {
  const named = new Set((given ?? '').split(' '));
  const wanted = connectionScopes.filter((scope) => named.has(scope));
  return (wanted.length === 0 ? ['notes:read', 'notes:write'] : wanted).join(' ');
};

/** The form of a token request as the library gets it. */
export const tokenForm = (
  body: Readonly<Record<string, unknown>>,
  resources: readonly string[],
): string => {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    const text = String(value);
    form.append(name, name === 'resource' ? canonicalResource(text, resources) : text);
  }
  return form.toString();
};
