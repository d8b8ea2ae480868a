import type { ServiceName } from '@commonplace/contracts/core';
import { assertRole } from './company-policy.ts';
import { isRejection } from './is-rejection.ts';
import {
  assertEntityOwnership,
  assertGranted,
  assertOwnRun,
  type AssertVisible,
  type CompanyResolutionInput,
} from './resolve-company.ts';
import type { AnyReply, CompanyScope } from './route-types.ts';

/** A request whose caller is of a kind that may use the route, and whose company is known. */
type InCompany = {
  readonly service: ServiceName;
  readonly input: CompanyResolutionInput;
  readonly company: CompanyScope;
  readonly assertVisible: AssertVisible;
};

type Steps<Rest, Now> = {
  /** Query and body; after access, so that foreign callers learn nothing from its messages. */
  readonly parseRest: () => Promise<Rest>;
  /** The caller and company as they are now; throws where their state forbids the request. */
  readonly assertNow: () => Promise<Now>;
  readonly handle: (rest: Rest, now: Now) => Promise<AnyReply>;
};

/**
 * The checks of a request to its company, in the order of docs/contract.md section 2: entity, role, query and body, state;
 * then the handler. Requests over HTTP and calls in the process both come here, so that a call may do what its caller may do
 * over HTTP. What belongs to another company is said first (403), whatever else is wrong.
 */
export const handleInOrder = async <Rest, Now>(
  { service, input, company, assertVisible }: InCompany,
  { parseRest, assertNow, handle }: Steps<Rest, Now>,
): Promise<AnyReply> => {
  const { access, caller, params } = input;
  try {
    await assertGranted({ service, access }, company, { params, assertVisible });
    assertRole({ access, caller, company, params });
    await assertOwnRun(input, company);
    const rest = await parseRest();
    return await handle(rest, await assertNow());
  } catch (error) {
    if (isRejection(error)) {
      await assertEntityOwnership(input, company);
    }
    throw error;
  }
};
