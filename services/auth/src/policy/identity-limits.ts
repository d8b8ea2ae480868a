/** Identities of one operator. */
export const identitiesMax = 20;

/** How old a new authentication may be when an attempt requires one. */
export const freshSignInSeconds = 5 * 60;

/** Whether an email is of one of these domains. Subdomains are domains of their own. */
export const isOfDomain = (email: string, domains: readonly string[]): boolean =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1));
