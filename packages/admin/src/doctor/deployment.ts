/** A deployment as its environment describes it. */
export type Deployment = {
  /** The URL of the gateway. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** A superuser's connection URL; null if there is none. */
  readonly adminUrl: string | null;
  /** The data directory of `pnpm start`; null for a deployment that an .env file describes. */
  readonly dataDir: string | null;
  /** Whether this runs in the image of docker-compose.yml. */
  readonly isInImage: boolean;
  /** Whether there are no secrets yet because the first `pnpm start` creates them: no variable of one is set, not even empty. */
  readonly isBeforeFirstStart: boolean;
};
