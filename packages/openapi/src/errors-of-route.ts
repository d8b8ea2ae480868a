import {
  errorCodes,
  type Access,
  type ErrorCode,
  type RequiredScope,
  type RouteContract,
  type ServiceName,
} from '@commonplace/contracts';

/** Errors of the gateway that any request can get. */
export const errorsOfGateway: readonly ErrorCode[] = [
  'ambiguous_target',
  'malformed_header',
  'malformed_request',
  'forwarded_request',
  'request_timeout',
  'target_too_long',
  'expectation_failed',
  'misdirected_request',
  'headers_too_large',
  'unexpected_failure',
  'service_unavailable',
];

/** Errors of every route of a service, in addition. */
const errorsOfService: readonly ErrorCode[] = [
  'validation_failed',
  // Also where a route takes no body, of one that is sent to it.
  'malformed_json',
  'bad_upstream',
  'busy',
  'upstream_timeout',
];

/** Notes of agents and viewers may be limited to folders, which is checked before the role. */
const isLimitedByGrants = (service: ServiceName, access: Access): boolean =>
  service === 'notes' && access.kind === 'company';

const errorsOfAccess = ({ service, access }: RouteContract): readonly ErrorCode[] => {
  switch (access.kind) {
    case 'public':
      return [];
    case 'service':
      return ['identity_required'];
    case 'caller':
      return [
        'cross_company',
        ...(access.agents ? errorsOfScope(access.scope) : (['operator_only'] as const)),
      ];
    case 'administrator':
      return ['cross_company', 'operator_only', 'administrator_only'];
    case 'company':
      return [
        'cross_company',
        'company_required',
        ...(access.agents === 'never' ? (['operator_only'] as const) : errorsOfScope(access.scope)),
        ...(access.agents === 'itself_by_key' ? (['key_required', 'not_own_agent'] as const) : []),
        ...(access.agents === 'itself_by_key_or_run' ? (['not_own_agent'] as const) : []),
        ...(access.operators === 'never'
          ? (['agent_only'] as const)
          : (['role_insufficient'] as const)),
        ...(Object.keys(access.entities ?? {}).length > 0 ? (['not_found'] as const) : []),
        ...(isLimitedByGrants(service, access) ? (['folder_not_granted'] as const) : []),
      ];
  }
};

const errorsOfScope = (scope: RequiredScope): readonly ErrorCode[] =>
  scope === 'any' ? [] : ['insufficient_scope'];

const errorsOfState = ({ access, method }: RouteContract): readonly ErrorCode[] => {
  if (access.kind !== 'company') {
    return [];
  }
  const state = access.state ?? (method === 'get' ? 'any' : 'writable');
  const agents: readonly ErrorCode[] = access.agents === 'never' ? [] : ['agent_paused'];
  return state === 'any' ? [] : [...agents, 'company_archived'];
};

/** An operator who must set up a second factor may call a few routes only. */
const errorsOfEnrolment = ({ access, duringEnrolment }: RouteContract): readonly ErrorCode[] =>
  duringEnrolment === true || access.kind === 'public' || access.kind === 'service'
    ? []
    : ['second_factor_enrolment_required'];

const credentialErrors: readonly ErrorCode[] = [
  'credential_required',
  'invalid_token',
  'session_expired',
  'rate_limited',
];

/** The gateway authenticates the caller and reads `X-Company-Id`. */
export const takesCredential = ({ access }: RouteContract): boolean =>
  access.kind !== 'public' && access.kind !== 'service';

const bodyErrors: readonly ErrorCode[] = ['body_too_large', 'unsupported_media_type'];

/** Every error of a route: its own, and those that follow from its access, parameters and body. */
export const errorsOfRoute = (contract: RouteContract): readonly ErrorCode[] => {
  const codes = new Set<ErrorCode>([
    ...errorsOfGateway,
    ...errorsOfService,
    ...(contract.method === 'get' ? [] : (['cross_site_request'] as const)),
    ...(takesCredential(contract) ? credentialErrors : []),
    ...(contract.body ? bodyErrors : []),
    ...errorsOfAccess(contract),
    ...errorsOfState(contract),
    ...errorsOfEnrolment(contract),
    ...contract.errors,
  ]);
  return [...codes].toSorted(
    (a, b) => errorCodes[a].status - errorCodes[b].status || (a < b ? -1 : 1),
  );
};
