/** What a model reads of a write that became a proposal; null: it counts. */
export const proposedMemory = (written: object, path: string): string | null =>
  'proposal' in written
    ? `Proposed, not yet applied: ${path} has not changed until somebody accepts it.`
    : null;
