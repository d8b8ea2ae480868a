import { describe, expect, it } from '@jest/globals';
import { createRouter } from './router.ts';

const table = createRouter([
  { method: 'get', path: '/api/agents/me', target: 'me' },
  { method: 'get', path: '/api/agents/{agentId}', target: 'agent' },
  { method: 'patch', path: '/api/agents/{agentId}', target: 'change' },
  { method: 'post', path: '/api/agents/{id}/keys', target: 'keys' },
  { method: 'get', path: '/', target: 'root' },
]);
const find = (method: string, path: string) => table.resolve(table.match(path), method);
const targetOf = (method: string, path: string) => find(method, path).route.target;

describe('the route table', () => {
  it('lets literal segments win over parameters', () => {
    expect(targetOf('GET', '/api/agents/me')).toBe('me');
    expect(targetOf('GET', '/api/agents/you')).toBe('agent');
    expect(() => targetOf('PATCH', '/api/agents/me')).toThrow(
      expect.objectContaining({ status: 405, headers: { Allow: 'GET, HEAD' } }),
    );
  });

  it('tries the parameter where the literal leads nowhere', () => {
    expect(targetOf('POST', '/api/agents/me/keys')).toBe('keys');
  });

  it('gives the parameters by the names of the route, decoded', () => {
    expect(find('POST', '/api/agents/a%20b/keys').params).toEqual({ id: 'a b' });
    expect(find('GET', '/api/agents/a').params).toEqual({ agentId: 'a' });
  });

  it('answers HEAD where it answers GET', () => {
    expect(targetOf('HEAD', '/')).toBe('root');
    expect(table.allowedMethods(table.match('/api/agents/a'))).toEqual(['GET', 'HEAD', 'PATCH']);
  });

  it.each(['/api', '/api/agents', '/api/agents/', '/api/agents/a/keys/', '/API/agents/me', ''])(
    'knows no other path: %s',
    (path) => {
      expect(() => targetOf('GET', path)).toThrow(expect.objectContaining({ status: 404 }));
      expect(table.match(path)).toBeNull();
      expect(table.allowedMethods(null)).toEqual([]);
    },
  );

  it('refuses two routes for one path at start', () => {
    const route = { method: 'get', path: '/a/{x}', target: 1 } as const;
    expect(() => createRouter([route, { ...route, path: '/a/{y}' }])).toThrow('Two routes for GET');
  });
});
