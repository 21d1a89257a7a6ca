// A backup is one zstd file of plain SQL, so `zstd -dc backup.zst | psql` can restore it without this program.
// The first line identifies the format, each table is one COPY block, and the last two lines hold the checksums.

export const MAGIC = '-- dwadi backup '
export const FORMAT = 1

export type BackupHeader = {
  format: number
  madeAt: string
  postgres: string
  /** The names of the migrations applied, in order. */
  migrations: string[]
}

export type TableSum = {
  /** Schema and name, quoted for SQL. */
  table: string
  columns: string
  rows: number
  /** SHA-256 of the rows in COPY format. */
  sha256: string
}

export type BackupContents = { tables: TableSum[] }

export const SUMS = '-- contents '
export const SEAL = '-- sha256 '

/** Session settings for both backup and restore, so that equal rows give equal bytes. */
export const COPY_SETTINGS = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set search_path = ''`

/** The statement that writes all rows of a table, in the order in which they lie; of one that is kept in ranges, one range after the other. */
export function copyOut({ table, columns }: Pick<TableSum, 'table' | 'columns'>): string {
  return `copy (select ${columns} from ${table}) to stdout`
}

export class BackupError extends Error {
  override name = 'BackupError'
}
