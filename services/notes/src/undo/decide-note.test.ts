import { describe, expect, it } from '@jest/globals';
import { newId, noteId } from '@commonplace/contracts/core';
import { noteInput, type NoteFields } from '@commonplace/contracts/notes';
import { takeOut, takeOutStepsMax, tooCostly } from '@commonplace/merge';
import fc from 'fast-check';
import type { StoredNote } from '../queries/note-rows.ts';
import { decideNote } from './decide-note.ts';
import { planByTexts, planNote } from './plan-note.ts';

/** A version; null: the note is deleted. */
type Version = { readonly isSource: boolean; readonly fields: NoteFields | null };

const id = noteId.parse(newId());
const takeOutLines = async (removal: Parameters<typeof takeOut>[0]) => {
  const taken = takeOut(removal, takeOutStepsMax);
  return taken === tooCostly ? null : taken;
};

/** What becomes of a note with these versions, as the undo decides it. */
const decide = async (versions: readonly Version[]) => {
  const at = new Date(0);
  const history = versions.map(({ isSource, fields }, index) => ({
    noteId: id,
    revision: index + 1,
    deleted: fields === null,
    size: fields?.content.length ?? 0,
    at,
    isSource,
  }));
  // An undo knows of the versions since the one before the first of the source.
  const first = Math.max(0, history.findIndex(({ isSource }) => isSource) - 1);
  const planned = planNote({
    noteId: id,
    note: { revision: versions.length, createdAt: at } as StoredNote,
    versions: history.slice(first),
    conflictCopies: [],
    merges: [],
  });
  if (!planned) {
    throw new Error('The note is as its history says');
  }
  const read = new Map(
    planned.names.flatMap(({ revision }) => {
      const fields = versions[revision - 1]?.fields;
      return fields ? [[revision, fields] as const] : [];
    }),
  );
  return decideNote({ takeOutLines }, planByTexts(planned, read), read);
};

/** What an undo says, and the text that there is afterwards; null: the note is deleted. */
const undo = async (versions: readonly Version[]) => {
  const { outcome, next, lines } = await decide(versions);
  const now = versions.at(-1)?.fields ?? null;
  return { outcome, lines, text: (next === undefined ? now : next)?.content ?? null };
};

/** One step of a writer: an edit, a deletion, or a deleted note that is written again. */
type Step = {
  readonly isSource: boolean;
  readonly isDeletion: boolean;
  readonly at: number;
  readonly drop: number;
  readonly add: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  isSource: fc.boolean(),
  isDeletion: fc.nat(5).map((chance) => chance === 0),
  at: fc.nat(6),
  drop: fc.nat(2),
  add: fc.nat(2),
});
const steps = fc
  .array(step, { minLength: 1, maxLength: 7 })
  .filter((all) => all.some(({ isSource }) => isSource));

/** The versions that they make of no note. Every line is written once. */
const versionsOf = (all: readonly Step[]): Version[] => {
  const versions: Version[] = [];
  let text: readonly string[] = [];
  all.forEach(({ isSource, isDeletion, at, drop, add }, number) => {
    const isThere = versions.at(-1)?.fields ?? null;
    if (isDeletion && isThere) {
      versions.push({ isSource, fields: null });
      return;
    }
    const added = Array.from(
      { length: add },
      (_, index) => `${isSource ? 's' : 'o'}${number}.${index}`,
    );
    text = text.toSpliced(at, drop, ...added);
    const content = text.map((line) => `${line}\n`).join('');
    versions.push({ isSource, fields: noteInput.parse({ title: 'T', content }) });
  });
  return versions;
};

/** Something that another did to a note without touching its text. */
const touch = fc.record({
  /** Behind which version. */
  after: fc.nat(7),
  isDeletion: fc.boolean(),
  fields: fc.record(
    {
      folder: fc.constantFrom('quarantine', 'a/b'),
      tags: fc.constantFrom(['t'], ['t', 'u']),
      pinned: fc.boolean(),
      archived: fc.boolean(),
      properties: fc.constantFrom({}, { checked: true }),
    },
    { requiredKeys: [] },
  ),
});
/** The same history, in which others also did that. What they changed stays, as nobody else changes these fields. */
const withTouches = (
  versions: readonly Version[],
  touches: readonly {
    readonly after: number;
    readonly isDeletion: boolean;
    readonly fields: object;
  }[],
): Version[] => {
  let changed = {};
  return versions.flatMap(({ isSource, fields }, index) => {
    const made: Version[] = [{ isSource, fields: fields && { ...fields, ...changed } }];
    for (const each of touches.filter(({ after }) => fields && after === index)) {
      changed = { ...changed, ...each.fields };
      const gone: Version[] = each.isDeletion ? [{ isSource: false, fields: null }] : [];
      made.push(...gone, { isSource: false, fields: fields && { ...fields, ...changed } });
    }
    return made;
  });
};

const touches = fc.array(touch, { minLength: 1, maxLength: 5 });

describe('an undo of a note that others moved, archived, tagged, or deleted and restored', () => {
  it('does the same to its text as if they had not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, touches, async (all, others) => {
        const versions = versionsOf(all);
        expect(await undo(withTouches(versions, others))).toEqual(await undo(versions));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves what they set, wherever the note stays', async () => {
    await fc.assert(
      fc.asyncProperty(steps, touches, async (all, others) => {
        const versions = withTouches(versionsOf(all), others);
        const { next } = await decide(versions);
        const kept = versions.findLast(({ fields }) => fields)?.fields;
        const { content: _, ...rest } = kept ?? noteInput.parse({});
        expect(next ?? rest).toMatchObject(rest);
      }),
    );
  });

  it('differs from that of one whose text they changed and wrote again', async () => {
    const [made, gone] = ['s\n', 'o\n'].map((content) => noteInput.parse({ content }));
    const history = [
      { isSource: true, fields: made ?? null },
      { isSource: false, fields: gone ?? null },
      { isSource: false, fields: made ?? null },
    ];
    expect(await undo(history)).toEqual({ outcome: 'kept', lines: ['s'], text: 's\n' });
  });
});

describe('an undo of a new note with a title of others', () => {
  it('takes the text out and leaves the title', async () => {
    await fc.assert(
      fc.asyncProperty(steps, touches, async (all, others) => {
        const versions = versionsOf(all);
        const titled = others.map((each, index) => ({
          ...each,
          fields: { ...each.fields, title: `title ${index}` },
        }));
        const { text } = await undo(withTouches(versions, titled));
        expect(text ?? '').toBe((await undo(versions)).text ?? '');
      }),
      { numRuns: 500 },
    );
  });

  it('says so, and changes nothing more', async () => {
    const made = noteInput.parse({ title: 'Rogue', content: 'buy\n', tags: ['hot'], folder: 'f' });
    const renamed = { ...made, title: 'Nonsense', tags: ['hot', 'checked'] };
    const history = [
      { isSource: true, fields: made },
      { isSource: false, fields: renamed },
    ];
    const decision = await decide(history);
    const next = { ...noteInput.parse({ title: 'Nonsense', tags: ['checked'], folder: 'f' }) };
    expect(decision).toEqual({
      outcome: 'partly',
      next,
      lines: [],
      fields: ['title'],
      detail: null,
    });
    const again = await undo([...history, { isSource: false, fields: next }]);
    expect(again).toEqual({ outcome: 'kept', lines: [], text: '' });
  });
});

it('an undo lists the lines of the source whose breaks others converted', async () => {
  const versions = [
    { isSource: true, fields: noteInput.parse({ content: 'a\r\nb\r\n' }) },
    { isSource: false, fields: noteInput.parse({ content: 'a\nb\nc\n' }) },
  ];
  expect(await undo(versions)).toMatchObject({ outcome: 'kept', lines: ['a', 'b'] });
});

describe('an undo of a source that deleted a note and restored it', () => {
  const ofOthers = noteInput.parse({ title: 'T', content: 'o\n' });
  const more = { ...ofOthers, content: 'o\ns\n' };

  it('leaves the note of others, without what was added', async () => {
    const gone = [
      { isSource: false, fields: ofOthers },
      { isSource: true, fields: null },
    ];
    const same = await undo([...gone, { isSource: true, fields: ofOthers }]);
    expect(same).toEqual({ outcome: 'unchanged', lines: [], text: 'o\n' });
    const added = await undo([...gone, { isSource: true, fields: more }]);
    expect(added).toEqual({ outcome: 'undone', lines: [], text: 'o\n' });
  });

  it('leaves what others added to its own', async () => {
    const made = { ...ofOthers, content: 's\n' };
    const history = [
      { isSource: true, fields: made },
      { isSource: false, fields: { ...made, content: 's\no\n' } },
      { isSource: true, fields: null },
      { isSource: true, fields: { ...made, content: 's\no\n' } },
    ];
    expect(await undo(history)).toEqual({ outcome: 'kept', lines: ['s'], text: 's\no\n' });
  });

  it('loses no line of others, whatever it wrote and deleted', async () => {
    const ofSource = steps.map((all) =>
      all.map((each) => ({ ...each, isDeletion: each.isDeletion && each.isSource })),
    );
    const linesOf = (text: string | null) =>
      (text ?? '').split('\n').filter((line) => line.startsWith('o'));
    await fc.assert(
      fc.asyncProperty(ofSource, async (all) => {
        const versions = versionsOf(all);
        const now = versions.at(-1)?.fields?.content ?? null;
        const kept = new Set(linesOf((await undo(versions)).text));
        expect(linesOf(now).filter((line) => !kept.has(line))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('removes what others had deleted before', async () => {
    const history = [
      { isSource: false, fields: ofOthers },
      { isSource: false, fields: null },
      { isSource: true, fields: ofOthers },
    ];
    expect(await undo(history)).toMatchObject({ outcome: 'removed', text: null });
  });
});
