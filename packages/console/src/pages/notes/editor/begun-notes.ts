const begun = new Set<string>();

/** Returns the id of a new note that begins on this page. */
export const beginNote = (): string => {
  const id = crypto.randomUUID();
  begun.add(id);
  return id;
};

/** Whether a new note began on this page just now, so that no other tab can have saved it. */
export const isBegun = (id: string): boolean => begun.has(id);

/** Its address leads to what was saved by it from now on. */
export const forgetBegun = (id: string): void => void begun.delete(id);
