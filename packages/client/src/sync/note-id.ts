const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the server has notes under this id: it accepts UUIDs in either case, and returns them in lower case. */
export const isNoteId = (id: string): boolean => uuid.test(id);

/** Returns the id of a note as the server returns it. Throws if it is none, because the server would refuse the whole request. */
export const toNoteId = (id: string): string => {
  const lower = id.toLowerCase();
  if (!isNoteId(lower)) {
    throw new RangeError(`The id of a note must be a UUID: ${JSON.stringify(id)}`);
  }
  return lower;
};
