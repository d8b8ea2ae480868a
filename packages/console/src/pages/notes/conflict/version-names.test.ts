import { describe, expect, it } from '@jest/globals';
import { versionNames } from './version-names.ts';

const names: Readonly<Record<string, string>> = { a: 'Ada', b: 'Bo' };
const nameOf = ({ kind, id }: { kind: string; id: string }): string => names[id] ?? `an ${kind}`;
const by = (id: string, kind = 'agent') => ({ updatedBy: { kind, id } });

describe('the versions of a conflict', () => {
  it('are called by their authors', () => {
    expect(versionNames({ nameOf }, by('a'), by('b'))).toEqual({
      current: 'Ada’s version',
      other: 'Bo’s version',
    });
    expect(versionNames({ nameOf }, by('gone'), by('b')).current).toBe('an agent’s version');
  });

  it('are distinguished where the authors are called the same, or the note is gone', () => {
    const apart = { current: 'current version', other: 'other version' };
    expect(versionNames({ nameOf }, by('a'), by('a'))).toEqual(apart);
    expect(versionNames({ nameOf }, by('x'), by('y'))).toEqual(apart);
    expect(versionNames({ nameOf }, null, by('b'))).toEqual(apart);
  });
});
