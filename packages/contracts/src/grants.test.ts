import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canReadIn,
  findGrantBeyond,
  grantModes,
  grantScopes,
  intersectGrants,
  simplifyGrants,
  writeModeIn,
  type HeldGrants,
  type NoteGrant,
} from './grants.ts';

const folders = ['', '/', 'log', 'log/2026', 'log/2026/may', 'logs', 'sales'];
const grant: fc.Arbitrary<NoteGrant> = fc.record({
  folder: fc.constantFrom(...folders),
  scope: fc.constantFrom(...grantScopes),
  mode: fc.constantFrom(...grantModes),
});
const list = fc.array(grant, { maxLength: 5 });
const held: fc.Arbitrary<HeldGrants> = fc.option(list, { freq: 6 });

/** What grants allow in every folder: to read, to append, to change. */
const rightsOf = (grants: HeldGrants) =>
  folders.map((folder) => [
    canReadIn(grants, folder),
    writeModeIn(grants, folder, 'append'),
    writeModeIn(grants, folder, 'any'),
  ]);

type Mode = NoteGrant['mode'] | null;

const weakest = (one: Mode, other: Mode): Mode =>
  one === null || other === null
    ? null
    : one === 'direct' && other === 'direct'
      ? 'direct'
      : 'propose';

describe('grants', () => {
  it('simplified allow the same, and are equal in whatever order they were given', () => {
    fc.assert(
      fc.property(
        list.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          const simple = simplifyGrants(all);
          expect(rightsOf(simple)).toEqual(rightsOf(all));
          expect(simplifyGrants(shuffled)).toEqual(simple);
          expect(simplifyGrants(simple)).toEqual(simple);
        },
      ),
    );
  });

  it('intersected allow what all of them allow', () => {
    fc.assert(
      fc.property(held, held, (one, other) => {
        const both = rightsOf(intersectGrants(one, other));
        const [ofOne, ofOther] = [rightsOf(one), rightsOf(other)];
        const expected = ofOne.map(([mayRead, append, any], at) => {
          const [alsoReads, appends, changes] = ofOther[at] ?? [];
          return [
            mayRead && alsoReads,
            weakest(append as Mode, appends as Mode),
            weakest(any as Mode, changes as Mode),
          ];
        });
        expect(both).toEqual(expected);
      }),
    );
  });

  it('intersected are equal in whatever order the lists come', () => {
    fc.assert(
      fc.property(held, held, held, (agent, credential, member) => {
        const expected = intersectGrants(agent, credential, member);
        expect(intersectGrants(member, credential, agent)).toEqual(expected);
        expect(intersectGrants(credential, intersectGrants(agent, member))).toEqual(expected);
      }),
    );
  });

  it('requested within those that are held are the intersection with them', () => {
    fc.assert(
      fc.property(held, held, (mine, requested) => {
        fc.pre(findGrantBeyond(mine, requested) === undefined);
        expect(intersectGrants(mine, requested)).toEqual(simplifyGrants(requested));
      }),
    );
  });
});
