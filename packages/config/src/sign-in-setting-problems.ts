type SignInSettings = {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly LOCAL_LOGIN?: string | undefined;
};

/** Says what is wrong with settings that are valid one by one. */
export const signInSettingProblems = (
  env: SignInSettings,
): readonly { readonly path: string; readonly message: string }[] => [
  ...((env.OIDC_ISSUER === undefined) === (env.OIDC_CLIENT_ID === undefined)
    ? []
    : [{ path: 'OIDC_CLIENT_ID', message: 'and OIDC_ISSUER go together' }]),
  ...(env.LOCAL_LOGIN === 'off' && env.OIDC_ISSUER === undefined
    ? [{ path: 'LOCAL_LOGIN', message: 'can be off only with OIDC_ISSUER' }]
    : []),
];
