import { makeCompany, type CompanyWorld } from '@commonplace/e2e';
import type { TestSystem } from '@commonplace/e2e/test-system';

export type SeededWorld = {
  /** The first company by name, with an agent "Ada", her key, a run and a note. */
  readonly acme: CompanyWorld;
  /** The second one, with the same contents. */
  readonly zenith: CompanyWorld;
};

/** Creates two companies of the board through the API. */
export const seedWorld = async (system: TestSystem): Promise<SeededWorld> => {
  const asBoard = system.as(await system.boardHeaders());
  const options = { baseUrl: system.baseUrl, withInvite: false };
  const zenith = await makeCompany(asBoard, 'Zenith Works', options);
  const acme = await makeCompany(asBoard, 'Acme Research', options);
  return { acme, zenith };
};
