import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/api.ts';
import { companiesQuery } from '../../api/company-queries.ts';
import { assertPasskey, hasPasskeys, isCancelled } from '../../api/passkeys.ts';
import { mustEnrol, retryText } from '../../api/problems.ts';
import { reauthentication } from '../../api/reauthentication.ts';
import { currentSessionQuery, factorsQuery } from '../../api/session-queries.ts';
import { signInOptionsQuery } from '../../api/sign-in-options-query.ts';
import { Dialogs } from '../../app/shell/dialogs.tsx';
import { PublicLayout } from '../../app/shell/public-layout.tsx';
import { usePostSignIn } from '../../app/session/use-post-sign-in.ts';
import { useSignOut } from '../../app/session/use-sign-out.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { AuthenticatorApp } from '../account/authenticator-app.tsx';
import { PasskeyList } from '../account/passkey-list.tsx';
import { ProviderFactor } from './provider-factor.tsx';

const route = getRouteApi('/enrol');

/** All that is open to an operator who must set up a second factor first. */
export const EnrolmentPage = () => {
  const { data: session } = useQuery(currentSessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  const { data: factors } = useQuery(factorsQuery);
  const signOut = useSignOut();
  const isOfProvider = session?.signInMethod === 'oidc';
  const isByPasskey = isOfProvider || factors?.totp === null;
  const proceed = useProceed(isByPasskey);
  const hasFactor = factors && (factors.passkeys > 0 || (factors.totp !== null && !isOfProvider));
  const { error } = proceed;
  return (
    <PublicLayout
      title="Set up a second factor"
      text="This instance requires one. Until then nothing else is open to you."
    >
      <Stack>
        {/* With a factor the next step is to go on, so that stands first. */}
        {error && !isCancelled(error) && <ErrorAlert error={error}>{retryText(error)}</ErrorAlert>}
        {hasFactor && (
          <Button loading={proceed.isPending} onClick={() => proceed.mutate()}>
            {isByPasskey ? 'Continue with the passkey' : 'Continue'}
          </Button>
        )}
        {isOfProvider && options?.oidc && factors && !hasFactor && (
          <ProviderFactor name={options.oidc.name} />
        )}
        {session && !isOfProvider && <AuthenticatorApp />}
        <PasskeyList />
        <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </Stack>
      <Dialogs />
    </PublicLayout>
  );
};

/** The other gateways may refuse for a second more. */
const retries = { retry: (count: number, error: unknown) => mustEnrol(error) && count < 10 };

/** Opens the console. A passkey has to be used once: only then the session is one of two factors. */
const useProceed = (isByPasskey: boolean) => {
  const client = useQueryClient();
  const openConsole = usePostSignIn();
  const { next } = route.useSearch();
  return useMutation({
    mutationFn: async () => {
      if (isByPasskey && hasPasskeys()) {
        await api.post('/api/auth/reauthenticate', { body: { passkey: await assertPasskey() } });
      }
      const companies = { ...companiesQuery, ...retries, retryDelay: 250, staleTime: 0 };
      try {
        await client.fetchQuery(companies);
      } catch (error) {
        // A session that lost what it began with needs a code of the app, or another passkey.
        if (!mustEnrol(error) || !(await reauthentication.open())) {
          throw error;
        }
        await client.fetchQuery(companies);
      }
    },
    onSuccess: () => openConsole(next),
  });
};
