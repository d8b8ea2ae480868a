/**
 * Where it is stored. A type, because the first script reads it too and cannot import code: a key that differs there does
 * not compile.
 */
export type LastCompanyKey = 'commonplace.company';

const key: LastCompanyKey = 'commonplace.company';

/** The company opened last on this device. Its id is no secret and grants no access. */
export const lastCompany = {
  /** Its id, also if another operator opened it; null if there is none. */
  read: (): string | null => readStored(),
  /** The company of the list that was opened last, else the first; undefined if the list is empty. */
  in: <Company extends { readonly id: string }>(
    companies: readonly Company[],
  ): Company | undefined => {
    const last = readStored();
    return companies.find(({ id }) => id === last) ?? companies[0];
  },
  write: (companyId: string): void => {
    try {
      localStorage.setItem(key, companyId);
    } catch {
      // Without storage, the console opens the first active company by name each time.
    }
  },
};

const readStored = (): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
