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

it('nothing that is proposed changes a note before it is accepted, and nothing of others is lost then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const id = await at.note('p', base);
      let text = base;
      let proposed = base;
      let proposalId: string | null = null;
      const written = new Set<string>();
      for (const [index, one] of steps.entries()) {
        // Edits go on with what was proposed, once something was.
        const seen = one.by === 'writer' || proposalId === null ? text : proposed;
        const edit = editOf(one, index, seen);
        if (edit && one.by === 'proposer') {
          ({ id: proposalId } = await at.propose(id, edit));
          ({ content: proposed } = (await at.read(proposalId)) as { content: string });
          expect((await at.stored(id)).content).toBe(text);
        } else if (edit) {
          const edits = [edit];
          await at.world.as(at.writer).patch(`/api/notes/${id}`).send({ edits }).expect(200);
          ({ content: text } = await at.stored(id));
          written.add(markOf('writer', index));
        }
      }
      // What the writers left in the note is what must not be lost: later ones of them may have replaced earlier ones.
      const left = [...written].filter((mark) => text.includes(mark));
      if (proposalId === null) {
        return;
      }
      const { status, body } = await at.accept(proposalId);
      const after = (await at.stored(id)).content;
      if (status === 409) {
        expect(body).toMatchObject({
          code: 'proposal_conflict',
          current: { content: text },
          proposed: { content: proposed },
        });
        expect(after).toBe(text);
        await at.reject(proposalId).expect(200);
        expect((await at.stored(id)).content).toBe(text);
        return;
      }
      expect(status).toBe(200);
      for (const mark of left) {
        expect(after).toContain(mark);
      }
      for (const mark of proposed.match(/proposer-\d+/g) ?? []) {
        expect(after).toContain(mark);
      }
    }),
    { numRuns: 60 },
  );
});
