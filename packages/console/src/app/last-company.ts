const key = 'commonplace.company';

/** The company worked in last, on this device. An id is no secret; it opens nothing. */
export const lastCompany = {
  read: (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write: (companyId: string): void => {
    try {
      localStorage.setItem(key, companyId);
    } catch {
      // A browser that keeps nothing begins with the first company by name each time.
    }
  },
};
