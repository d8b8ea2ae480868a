import { createHmac } from 'node:crypto';

/** A part of the configuration that the data depends on: with another value, the data is less useful or less safe. */
export type ConfigurationFact = {
  /** The variable. */
  readonly name: string;
  /** Fingerprints of the configured values, in their order; safe to store and show. */
  readonly fingerprints: readonly [string, ...string[]];
  /** The consequence of another value than the stored one: a sentence without its full stop. */
  readonly consequence: string;
  /** How to get back to the stored one: a sentence without its full stop. */
  readonly remedy: string;
  /** Stored values that any other may replace. */
  readonly replaceable?: readonly string[];
};

/** Enough to distinguish secrets; too little to reveal anything about one of 32 bytes. */
const fingerprintDigits = 12;

/** The fact of a list of secrets: data made with a secret is lost with it. */
export const secretsFact = (
  name: string,
  secrets: readonly [string, ...string[]],
  consequence: string,
): ConfigurationFact => {
  const [first, ...others] = secrets;
  return {
    name,
    fingerprints: [fingerprintOf(name, first), ...others.map((each) => fingerprintOf(name, each))],
    consequence,
    remedy: `Bring back the former ${name}: DATA_DIR/secrets.json (by default .data/secrets.json), .env, or wherever this deployment keeps its secrets`,
  };
};

/** The fact of the mode. From `local_trusted` to `authenticated` is an upgrade; the reverse lets everybody in. */
export const modeFact = (mode: string): ConfigurationFact => ({
  name: 'DEPLOYMENT_MODE',
  fingerprints: [mode],
  consequence: 'With this mode every program on this machine is the operator, without signing in',
  remedy: 'Set DEPLOYMENT_MODE=authenticated',
  replaceable: ['local_trusted'],
});

const fingerprintOf = (name: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(`commonplace configuration fingerprint: ${name}`)
    .digest('hex')
    .slice(0, fingerprintDigits);
