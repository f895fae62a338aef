export interface ServeOptions {
  /** 0 picks any free port. */
  readonly port: number;
  readonly host?: string;
  /** `postgres://...` or the path of a file. Default: a database in memory. */
  readonly database?: string;
  /** Refuses a file of SQLite that another process serves. Default: several may, and wait for each other. */
  readonly isAlone?: boolean;
  /** Folder of the built bundles. null: serve the API only. Default: the repository's own folder, if it exists. */
  readonly distDir?: string | null;
  /** Turns on the clock, the switches, the inbox, the embedded vendors and the checking of replies. */
  readonly development?: boolean;
  /** Logs only errors of the server itself. */
  readonly quiet?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** More folders that contain host folders, in addition to the repository's own. */
  readonly hostFolders?: readonly string[];
}
