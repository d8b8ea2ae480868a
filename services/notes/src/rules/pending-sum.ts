/** The changes that all companies wait for: of an index, the catalog or statistics. */
export const pendingSum = (companies: readonly { readonly pending: number }[]): number =>
  companies.reduce((sum, { pending }) => sum + pending, 0);
