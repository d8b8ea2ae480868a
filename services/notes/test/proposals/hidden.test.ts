import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { anAgent } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

const proposes = (folder: string): NoteGrant => ({ folder, scope: 'any', mode: 'propose' });

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

/** A note in `a`, which the agent has proposed to move to `secret` with another credential. */
const moved = async (content = '# Open\n\ntext\n') => {
  const id = await at.note('a', content);
  const agent = anAgent(at.company);
  const wide = { ...agent, grants: [proposes('a'), proposes('secret')] };
  const narrow = { ...agent, grants: [proposes('a')] };
  const edits = [
    { op: 'append', text: '\n# Hidden heading\n\nhidden words\n' },
    { op: 'set', folder: 'secret' },
  ];
  const { body } = await at.world.as(wide).patch(`/api/notes/${id}`).send({ edits }).expect(202);
  return { id, narrow, proposalId: String(body.proposal.id) };
};

const isHidden = { status: 403, code: 'folder_not_granted' };

describe('a proposal in a folder that another credential of its agent does not reach', () => {
  it.each([
    ['a heading that is wrong', { op: 'append_to_section', heading: 'None', text: 'x' }],
    ['a count that is wrong', { op: 'replace', find: 'hidden words', with: 'x', count: 2 }],
    ['a text that is there', { op: 'replace', find: 'hidden words', with: 'hidden words' }],
    ['a text that is not there', { op: 'replace', find: 'other words', with: 'x' }],
    ['a text to add', { op: 'append', text: 'x' }],
    ['the title that it has', { op: 'set', title: 'N' }],
  ])('shows nothing to an edit with %s', async (_, edit) => {
    const { id, narrow, proposalId } = await moved();
    const { body } = await at.world
      .as(narrow)
      .patch(`/api/notes/${id}`)
      .send({ edits: [edit] });
    expect(body).toMatchObject(isHidden);
    expect(JSON.stringify(body)).not.toMatch(/hidden/i);
    expect(await at.read(proposalId)).toMatchObject({ state: 'open', folder: 'secret' });
  });

  it('shows nothing to an edit that is made in the thread', async () => {
    const { id, narrow, proposalId } = await moved(`# Open\n\n${'word '.repeat(60_000)}\n`);
    const { body } = await at.world
      .as(narrow)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'append_to_section', heading: 'None', text: 'x' }] });
    expect(body).toMatchObject(isHidden);
    expect(JSON.stringify(body)).not.toMatch(/hidden/i);
    expect(await at.read(proposalId)).toMatchObject({ state: 'open' });
  });

  it('is not superseded by a whole note, sent or synchronized', async () => {
    const { id, narrow, proposalId } = await moved();
    const whole = { title: 'N', folder: 'a', content: 'other\n' };
    const { body } = await at.world.as(narrow).put(`/api/notes/${id}`).send(whole);
    expect(body).toMatchObject(isHidden);
    const { sync } = syncClient(at.world, narrow);
    const result = await sync({ changes: [putOf(whole, { id })], proposals: true });
    expect(JSON.stringify(result)).toMatch(/folder_not_granted/);
    expect(JSON.stringify(result)).not.toMatch(/hidden/i);
    expect(await at.read(proposalId)).toMatchObject({ state: 'open', folder: 'secret' });
  });
});
