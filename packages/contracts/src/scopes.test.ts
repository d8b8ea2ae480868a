import { describe, expect, it } from '@jest/globals';
import { hasScope, intersectScopes, listScopes, scopes } from './scopes.ts';

describe('the scopes of a credential', () => {
  it('are all where none are named, and otherwise those that are', () => {
    expect(scopes.every((each) => hasScope(null, each))).toBe(true);
    expect(listScopes(null)).toEqual([...scopes]);
    expect(listScopes(['runs:write', 'notes:read'])).toEqual(['notes:read', 'runs:write']);
    expect(scopes.some((each) => hasScope([], each))).toBe(false);
  });

  it('never grow by an intersection', () => {
    expect(intersectScopes(null, null)).toBeNull();
    expect(intersectScopes(null, ['notes:read'])).toEqual(['notes:read']);
    expect(intersectScopes(['notes:read'], null)).toEqual(['notes:read']);
    expect(intersectScopes(['notes:read', 'runs:write'], ['runs:write', 'agents:read'])).toEqual([
      'runs:write',
    ]);
  });
});
