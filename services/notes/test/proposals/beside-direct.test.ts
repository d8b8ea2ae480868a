import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { anAgent } from '../notes-world.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

const grants: readonly NoteGrant[] = [
  { folder: 'h', scope: 'append', mode: 'direct' },
  { folder: 'h', scope: 'any', mode: 'propose' },
];

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

describe('an agent that adds at once and proposes other changes', () => {
  it('adds to a note that is edited in the thread, whatever it has proposed of it', async () => {
    const id = await at.note('h', `# A\n\n${'word '.repeat(8_000)}\n\n# B\n`);
    const call = at.world.as({ ...anAgent(at.company), grants });
    const replace = { op: 'replace', find: '# A', with: '# Z' };
    const { body } = await call
      .patch(`/api/notes/${id}`)
      .send({ edits: [replace] })
      .expect(202);
    const edits = Array.from({ length: 30 }, (_, index) => ({
      op: 'append_to_section',
      heading: 'B',
      text: `line ${String(index)}`,
    }));
    await call.patch(`/api/notes/${id}`).send({ edits }).expect(200);
    const { content } = await at.stored(id);
    expect(content).toMatch(/^# A\n/);
    expect(content).toMatch(/line 0\n/);
    expect(content).toMatch(/line 29\n$/);
    await at.accept(String(body.proposal.id)).expect(200);
    expect((await at.stored(id)).content).toMatch(/^# Z\n[^]*line 29\n$/);
  });
});
