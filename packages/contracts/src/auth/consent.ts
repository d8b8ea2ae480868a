import { z } from 'zod';
import { byOneself } from '../access.ts';
import { agentId, companyId } from '../ids.ts';
import { lineOfText, timestamp } from '../common.ts';
import { requestedGrants } from '../grants.ts';
import { routeContract } from '../route-contract.ts';
import { connectionScope, connectionScopes, scopeList } from '../scopes.ts';

/** 256 random bits. */
export const consentUid = z.string().regex(/^[\w-]{43}$/);

const params = z.object({ uid: consentUid });

/** Names what was shown, so that nothing else is approved. */
const version = z.string().regex(/^[\w-]{43}$/);

const consent = z
  .object({
    client: z.object({
      name: z
        .string()
        .nullable()
        .meta({ description: 'What the app calls itself; anybody can choose it' }),
      host: z.string().meta({
        description:
          'Who the app is: the host of its metadata document, or where it wants to be sent back to',
      }),
      redirectHost: z.string().meta({ description: 'Where the browser goes afterwards' }),
      isLoopback: z
        .boolean()
        .meta({ description: 'An app on this machine: any program here can claim to be it' }),
      isNamedByHost: z
        .boolean()
        .meta({ description: 'The host itself published name and addresses of the app' }),
    }),
    scopes: scopeList,
    version,
    expiresAt: timestamp,
    restart: z.string().meta({
      description:
        'The path at which the same request begins again, for another operator to decide',
    }),
  })
  .meta({ id: 'Consent', description: 'What an app requests' });
export type Consent = z.infer<typeof consent>;

/** Reads what an app requests. */
export const getConsentContract = routeContract({
  operationId: 'getConsent',
  service: 'auth',
  method: 'get',
  path: '/connect/consent/{uid}',
  tag: 'Connections',
  summary: 'Read what an app requests',
  description:
    'Only in the browser in which the app began. The first operator who reads it is the one who may decide. ' +
    'Browsers that navigate here (`Accept: text/html`) get the consent page.',
  params,
  responses: { 200: { description: 'The request of the app', schema: consent } },
  errors: ['consent_expired', 'consent_changed', 'consent_of_another_operator'],
  access: byOneself,
  consentCookies: true,
  hasPage: true,
});

const agent = z.union([z.strictObject({ agentId }), z.strictObject({ name: lineOfText(1, 200) })]);

/** Approves or refuses what an app requests. */
export const decideConsentContract = routeContract({
  operationId: 'decideConsent',
  service: 'auth',
  method: 'post',
  path: '/connect/consent/{uid}',
  tag: 'Connections',
  summary: 'Approve or refuse what an app requests',
  description:
    'Approving creates the connection, and the agent if it is new. The page then navigates to `location`, which leads ' +
    'back to the app. Where a key with the same rights would need a sign-in of the last 15 minutes, this does too.',
  params,
  body: z.discriminatedUnion('decision', [
    z.strictObject({
      decision: z.literal('approve'),
      version,
      companyId,
      agent,
      scopes: z.array(connectionScope).min(1).max(connectionScopes.length),
      grants: requestedGrants
        .nullable()
        .optional()
        .meta({
          description:
            'The folders whose notes the connection reaches; absent or null: as much as its agent. More than the agent ' +
            'or the operator has is 403 `folder_not_granted`',
        }),
      expiresAt: timestamp
        .nullable()
        .meta({ description: 'When the connection ends; null: never' }),
    }),
    z.strictObject({ decision: z.literal('refuse') }),
  ]),
  responses: {
    200: {
      description: 'Where to go',
      schema: z.object({
        location: z.string().meta({ description: 'An address of this instance' }),
      }),
    },
  },
  errors: [
    'consent_expired',
    'connection_ended',
    'consent_changed',
    'consent_of_another_operator',
    'reauthentication_required',
    'role_insufficient',
    'folder_not_granted',
    'cross_company',
    'not_found',
    'agent_terminated',
    'agent_limit',
    'connection_limit',
    'session_expired',
    'company_archived',
    'service_unavailable',
  ],
  access: byOneself,
  consentCookies: true,
});
