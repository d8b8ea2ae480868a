import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

const lines = 8;
const base = Array.from({ length: lines }, (_, index) => `line ${index}\n`).join('');

/** A step: somebody replaces, adds or removes a line with a text of its own. */
const step = fc.record({
  by: fc.constantFrom('proposer', 'writer'),
  op: fc.constantFrom('replace', 'append', 'insert'),
  line: fc.nat(lines - 1),
});
type Step = { readonly by: string; readonly op: string; readonly line: number };

const markOf = (by: string, index: number): string => `${by}-${index}`;

/** The edit of a step, by the lines that were there at first. */
const editOf = ({ by, op, line }: Step, index: number, text: string): object | null => {
  const mark = markOf(by, index);
  if (op === 'append') {
    return { op: 'append', text: `${mark}\n` };
  }
  const old = text.split('\n').find((each) => each.startsWith(`line ${line}`));
  if (old === undefined) {
    return null;
  }
  const added = op === 'replace' ? `line ${line} ${mark}\n` : `${old}\n${mark}\n`;
  return { op: 'replace', find: `${old}\n`, with: added };
};

/** What a run of steps showed. */
type Run = {
  /** Texts of the note that were not what others wrote last, before the proposal was accepted or after it was not. */
  readonly changed: string[];
  /** Marks of others, and of the proposal, that the accepted text does not have. */
  readonly lost: string[];
};

const take = async (steps: readonly Step[]): Promise<Run> => {
  const run: Run = { changed: [], lost: [] };
  const id = await at.note('p', base);
  let text = base;
  let proposed = base;
  let proposalId: string | null = null;
  /** The text that the proposer saw first. */
  let seenFirst = base;
  const seeText = async (): Promise<void> => {
    const { content } = await at.stored(id);
    run.changed.push(...(content === text ? [] : [content]));
  };
  for (const [index, one] of steps.entries()) {
    // Edits go on with what was proposed, once something was.
    const seen = one.by === 'writer' || proposalId === null ? text : proposed;
    const edit = editOf(one, index, seen);
    if (edit && one.by === 'proposer') {
      seenFirst = proposalId === null ? text : seenFirst;
      ({ id: proposalId } = await at.propose(id, edit));
      proposed = (await at.read(proposalId)).content ?? '';
      await seeText();
    } else if (edit) {
      const edits = [edit];
      await at.world.as(at.writer).patch(`/api/notes/${id}`).send({ edits }).expect(200);
      ({ content: text } = await at.stored(id));
    }
  }
  if (proposalId === null) {
    return run;
  }
  const { status, body } = await at.accept(proposalId);
  if (status === 200) {
    const { content } = await at.stored(id);
    // What the proposer saw and replaced is not lost.
    const ofOthers = (text.match(/writer-\d+/g) ?? []).filter((mark) => !seenFirst.includes(mark));
    const marks = [...ofOthers, ...(proposed.match(/proposer-\d+/g) ?? [])];
    run.lost.push(...marks.filter((mark) => !content.includes(mark)));
    return run;
  }
  const shown = body as {
    readonly current: { content: string };
    readonly proposed: { content: string };
  };
  run.changed.push(...(shown.current.content === text ? [] : ['current']));
  run.lost.push(...(shown.proposed.content === proposed ? [] : ['proposed']));
  await seeText();
  await at.reject(proposalId).expect(200);
  await seeText();
  return run;
};

it('nothing that is proposed changes a note before it is accepted, and nothing of others is lost then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      expect(await take(steps)).toEqual({ changed: [], lost: [] });
    }),
    { numRuns: 60 },
  );
});
