/** The embedded database's address for `pg`. `host` is the folder of its Unix socket. */
export type EmbeddedDatabaseAddress = { host: string; port: number; user: string; database: string };
