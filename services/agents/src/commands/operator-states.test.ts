import { describe, expect, it } from '@jest/globals';
import { newId, operatorId } from '@commonplace/contracts/core';
import { createOperatorStates } from './operator-states.ts';

const known = operatorId.parse(newId());
const unknown = operatorId.parse(newId());

/** States of one operator, and the ids that auth was sent. */
const createStates = () => {
  const sent: string[][] = [];
  const callAuth = async (_contract: unknown, { operatorIds }: { operatorIds: string[] }) => {
    sent.push(operatorIds);
    const items = operatorIds
      .filter((id) => id === known)
      .map((id) => ({ operatorId: id, isEmailVerified: true, isDisabled: false, canSignIn: true }));
    return { items };
  };
  return { states: createOperatorStates(callAuth as never, undefined as never), sent };
};

describe('recalled states of operators', () => {
  it('are read once, also that an operator has no account', async () => {
    const { states, sent } = createStates();

    const first = await states.recall([known, unknown]);
    const again = await states.recall([unknown, known]);

    expect([...first.keys()]).toEqual([known]);
    expect(again).toEqual(first);
    expect(sent).toEqual([[known, unknown]]);
  });

  it('are read again where they are needed as they are now', async () => {
    const { states, sent } = createStates();

    await states.recall([unknown]);
    await states.read([unknown]);

    expect(sent).toEqual([[unknown], [unknown]]);
  });
});
