/** A change by its note and its base: later changes of a request with the same build on what it sent. */
export const chainOf = ({
  id,
  baseRevision,
}: {
  readonly id: string;
  readonly baseRevision: number | null;
}): string => `${id}:${String(baseRevision)}`;
