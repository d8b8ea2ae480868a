import { describe, expect, it } from '@jest/globals';
import { createRouter } from './router.ts';

const router = createRouter([
  { method: 'get', path: '/api/agents/me', target: 'me' },
  { method: 'get', path: '/api/agents/{agentId}', target: 'agent' },
  { method: 'patch', path: '/api/agents/{agentId}', target: 'change' },
  { method: 'post', path: '/api/agents/{id}/keys', target: 'keys' },
  { method: 'get', path: '/', target: 'root' },
]);
const find = (method: string, path: string) => router.resolve(router.match(path), method);
const targetOf = (method: string, path: string) => find(method, path).route.target;

describe('the router', () => {
  it('prefers literal segments to parameters', () => {
    expect(targetOf('GET', '/api/agents/me')).toBe('me');
    expect(targetOf('GET', '/api/agents/you')).toBe('agent');
    expect(() => targetOf('PATCH', '/api/agents/me')).toThrow(
      expect.objectContaining({ status: 405, headers: { Allow: 'GET, HEAD' } }),
    );
  });

  it('falls back to the parameter where the literal branch has no route', () => {
    expect(targetOf('POST', '/api/agents/me/keys')).toBe('keys');
  });

  it('returns the parameters decoded, by the names of the route', () => {
    expect(find('POST', '/api/agents/a%20b/keys').params).toEqual({ id: 'a b' });
    expect(find('GET', '/api/agents/a').params).toEqual({ agentId: 'a' });
  });

  it('resolves HEAD to the route of GET', () => {
    expect(targetOf('HEAD', '/')).toBe('root');
    expect(router.allowedMethods(router.match('/api/agents/a'))).toEqual(['GET', 'HEAD', 'PATCH']);
  });

  it.each(['/api', '/api/agents', '/api/agents/', '/api/agents/a/keys/', '/API/agents/me', ''])(
    'matches no other path: %s',
    (path) => {
      expect(() => targetOf('GET', path)).toThrow(expect.objectContaining({ status: 404 }));
      expect(router.match(path)).toBeNull();
      expect(router.allowedMethods(null)).toEqual([]);
    },
  );

  it('rejects two routes for one path and method', () => {
    const route = { method: 'get', path: '/a/{x}', target: 1 } as const;
    expect(() => createRouter([route, { ...route, path: '/a/{y}' }])).toThrow('Two routes for GET');
  });
});
