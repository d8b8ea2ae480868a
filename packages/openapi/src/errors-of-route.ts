import {
  errorCodes,
  type Access,
  type ErrorCode,
  type RouteContract,
} from '@commonplace/contracts';

const always: readonly ErrorCode[] = [
  'validation_failed',
  'ambiguous_target',
  'malformed_header',
  'misdirected_request',
  'target_too_long',
  'headers_too_large',
  'request_timeout',
  'rate_limited',
  'unexpected_failure',
  'bad_upstream',
  'service_unavailable',
  'busy',
  'upstream_timeout',
  'forwarded_request',
  'cross_site_request',
];

const errorsOfAccess = (access: Access): readonly ErrorCode[] => {
  switch (access.kind) {
    case 'public':
      return [];
    case 'service':
      return ['identity_required'];
    case 'caller':
      return access.agents ? [] : ['operator_only'];
    case 'administrator':
      return ['operator_only', 'administrator_only'];
    case 'company':
      return [
        'cross_company',
        'company_required',
        ...(access.agents === 'never' ? (['operator_only'] as const) : []),
        ...(access.agents === 'itself_by_key' ? (['key_required', 'not_own_agent'] as const) : []),
        ...(access.agents === 'itself_by_key_or_run' ? (['not_own_agent'] as const) : []),
        ...(access.operators === 'never'
          ? (['agent_only'] as const)
          : (['role_insufficient'] as const)),
        ...(Object.keys(access.entities ?? {}).length > 0 ? (['not_found'] as const) : []),
      ];
  }
};

const errorsOfState = ({ access, method }: RouteContract): readonly ErrorCode[] => {
  if (access.kind !== 'company') {
    return [];
  }
  const state = access.state ?? (method === 'get' ? 'any' : 'writable');
  const agents: readonly ErrorCode[] = access.agents === 'never' ? [] : ['agent_paused'];
  return state === 'any' ? [] : [...agents, 'company_archived'];
};

const credentialErrors: readonly ErrorCode[] = [
  'credential_required',
  'invalid_token',
  'session_expired',
];
const bodyErrors: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
];

/** Every error a route can answer: its own, and those that follow from its access, parameters and body. */
export const errorsOfRoute = (contract: RouteContract): readonly ErrorCode[] => {
  const isOpen = contract.access.kind === 'public' || contract.access.kind === 'service';
  const codes = new Set<ErrorCode>([
    ...always,
    ...(isOpen ? [] : credentialErrors),
    ...(contract.body ? bodyErrors : []),
    ...errorsOfAccess(contract.access),
    ...errorsOfState(contract),
    ...contract.errors,
  ]);
  return [...codes].toSorted(
    (a, b) => errorCodes[a].status - errorCodes[b].status || (a < b ? -1 : 1),
  );
};
