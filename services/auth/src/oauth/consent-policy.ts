import type { interactionPolicy } from 'oidc-provider';

type Policy = typeof interactionPolicy;

/**
 * When the library needs the operator: always. The prompts that clients may name lead to the same page, and the decision there
 * satisfies all of them.
 */
export const consentPolicy = ({ Check, Prompt }: Policy): interactionPolicy.Prompt[] => [
  new Prompt({ name: 'login', requestable: true }),
  new Prompt({ name: 'select_account', requestable: true }),
  new Prompt(
    { name: 'consent', requestable: true },
    new Check('consent_required', 'the operator decides each time', 'consent_required', (ctx) =>
      ctx.oidc.result?.consent?.grantId === undefined
        ? Check.REQUEST_PROMPT
        : Check.NO_NEED_TO_PROMPT,
    ),
  ),
];
