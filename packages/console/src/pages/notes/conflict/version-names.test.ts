import { describe, expect, it } from '@jest/globals';
import { separateTitle, versionNames } from './version-names.ts';

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

  it('say where they are if their authors are called the same', () => {
    expect(versionNames({ nameOf }, by('a'), by('a'))).toEqual({
      current: 'Ada’s saved version',
      other: 'Ada’s unmerged version',
    });
    expect(versionNames({ nameOf }, by('x'), by('y'))).toEqual({
      current: 'an agent’s saved version',
      other: 'an agent’s unmerged version',
    });
  });

  it('have short names, also where those of their authors are long', () => {
    const long = () => 'Wolfeschlegelsteinhausenbergerdorff';
    expect(versionNames({ nameOf: long }, by('a'), by('b')).other).toBe(
      'Wolfeschlegelsteinhause…’s unmerged version',
    );
  });

  it('are one, if the note was deleted', () => {
    expect(versionNames({ nameOf }, null, by('b'))).toEqual({
      current: 'deleted note',
      other: 'Bo’s version',
    });
  });

  it('name the note that one of them becomes by who wrote it, and when', () => {
    const version = { ...by('b'), title: 'Plan', updatedAt: '2026-11-28T23:59:59.000Z' };
    expect(separateTitle({ nameOf }, version)).toBe('Plan (Bo’s version of 2026-11-28)');
    expect(separateTitle({ nameOf }, { ...version, title: '' })).toBe(
      '(Bo’s version of 2026-11-28)',
    );
  });

  it('name it by a title that the server takes, also where that of the version is as long as it may be', () => {
    const version = { ...by('b'), updatedAt: '2026-11-28T23:59:59.000Z' };
    const origin = ' (Bo’s version of 2026-11-28)';
    const left = 500 - origin.length;
    const titleOf = (title: string) => separateTitle({ nameOf }, { ...version, title });
    expect(titleOf('𝒂'.repeat(left))).toBe(`${'𝒂'.repeat(left)}${origin}`);
    for (const letter of ['a', '𝒂']) {
      expect(titleOf(letter.repeat(500))).toBe(`${letter.repeat(left - 1)}…${origin}`);
    }
  });
});
