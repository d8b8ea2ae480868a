/** The server and the company whose notes a folder holds. */
export type FolderOwner = { readonly baseUrl: string; readonly companyId: string };

/** Throws when a folder belongs to another company. */
export const assertOwner = (
  root: string,
  stored: Pick<FolderOwner, 'companyId'> | null,
  owner: FolderOwner,
): void => {
  if (stored && stored.companyId !== owner.companyId) {
    throw new Error(
      `${root} belongs to company ${stored.companyId}, but this key belongs to ${owner.companyId}; to use it for the latter, move the folder .commonplace in it away`,
    );
  }
};
