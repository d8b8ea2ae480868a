import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { versionsOfSource } from './versions-of-source.ts';

type Undos = Parameters<typeof versionsOfSource>[1];

const undo = (revision: number, ...undoes: readonly number[]): Undos[number] => ({
  revision,
  undoes,
  isWhole: true,
});
const ofSource = (...undos: Undos): readonly number[] => [...versionsOfSource([2], undos)];

describe('versionsOfSource', () => {
  it('are what it wrote, without what an undo took out as a whole', () => {
    expect(ofSource()).toEqual([2]);
    expect(ofSource(undo(3, 2))).toEqual([]);
    expect(ofSource({ ...undo(3, 2), isWhole: false })).toEqual([2]);
    expect(ofSource(undo(4, 3))).toEqual([2]);
  });

  it('are again what an undo of an undo brought back, with the version that did it', () => {
    expect(ofSource(undo(3, 2), undo(4, 3))).toEqual([2, 4]);
    expect(ofSource(undo(3, 2), undo(4, 3), undo(5, 2, 4))).toEqual([]);
    expect(ofSource(undo(3, 2), undo(4, 3), undo(5, 4))).toEqual([]);
    expect(ofSource(undo(3, 2), undo(4, 3), undo(5, 2, 4), undo(6, 5))).toEqual([2, 4, 6]);
  });

  it('are not what an undo of a wider undo brought back, because that is of others as well', () => {
    // Version 3 is another run's, or 1 is: both were taken out together, and brought back.
    expect(ofSource(undo(4, 2, 3), undo(5, 4))).toEqual([2]);
    expect(ofSource(undo(3, 1, 2), undo(4, 3))).toEqual([2]);
  });

  it('are none or some by turns, however often an undo of the source is undone', () => {
    fc.assert(
      fc.property(fc.nat(20), (turns) => {
        const undos: Undos[number][] = [];
        for (let turn = 0; turn < turns; turn += 1) {
          const present = ofSource(...undos);
          undos.push(undo(3 + turn, ...(present.length > 0 ? present : [2 + turn])));
        }
        expect(ofSource(...undos).length > 0).toBe(turns % 2 === 0);
      }),
    );
  });
});
