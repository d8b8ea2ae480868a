import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allNotes, choose, countChosen, isChosen, noNotes } from './chosen-notes.ts';

const ids = ['a', 'b', 'c', 'd'];

it('notes are chosen one by one, from all of them or from none', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...ids), fc.boolean()));
  fc.assert(
    fc.property(fc.boolean(), steps, (isFromAll, chosenSteps) => {
      const expected = new Map(ids.map((id) => [id, isFromAll]));
      let chosen = isFromAll ? allNotes : noNotes;
      for (const [id, isOn] of chosenSteps) {
        chosen = choose(chosen, id, isOn);
        expected.set(id, isOn);
      }
      expect(ids.map((id) => isChosen(chosen, id))).toEqual([...expected.values()]);
      expect(countChosen(chosen, ids.length)).toBe(
        [...expected.values()].filter((isOn) => isOn).length,
      );
    }),
  );
});
