/** Settings of docker-compose.yml that no process reads, with their defaults. */
export const containerDefaults: readonly Defaults[] = [
  {
    comment:
      'More than one gateway needs a port for each: -8083 lets them take PORT to 8083 (a hyphen and the end of the range). Empty: one gateway, at PORT.',
    defaults: { PORT_RANGE_END: '' },
  },
  {
    comment: "Memory that each container of ours, and PostgreSQL's, may use.",
    defaults: { SERVICE_MEMORY: '512m', POSTGRES_MEMORY: '1g' },
  },
  {
    comment:
      'Processes of each service, which `docker-compose up -d` keeps. More than one gateway needs PORT_RANGE_END.',
    defaults: {
      AUTH_REPLICAS: '1',
      AGENTS_REPLICAS: '1',
      NOTES_REPLICAS: '1',
      GATEWAY_REPLICAS: '1',
    },
  },
  {
    comment:
      'Names of the images: <prefix>-notes:<tag> and so on. The prefix belongs to one deployment on this host, or names a registry. Each release gets a tag of its own before it is built, so that the images of the last one stay, to go back.',
    defaults: { IMAGE_PREFIX: 'commonplace', IMAGE_TAG: 'latest' },
  },
];

/** The passwords of the database, which can be in files as the secrets can. */
export const databasePasswords: Defaults = {
  comment:
    "Passwords of PostgreSQL's superuser and of the roles the services log in as: 16 characters or more, none that needs escaping in a URL. PostgreSQL takes the first only when its volume is new; migrate sets the others.",
  defaults: {
    POSTGRES_PASSWORD: '',
    AUTH_DATABASE_PASSWORD: '',
    AGENTS_DATABASE_PASSWORD: '',
    NOTES_DATABASE_PASSWORD: '',
  },
};

type Defaults = {
  readonly comment: string;
  readonly defaults: Readonly<Record<string, string>>;
};
