// A backup is one zstd file of plain SQL, so that in need `zstd -dc backup.zst | psql` restores it without this program.
// Its first line says what it is, each table is one COPY block, and its last two lines hold the checksums.

export const MAGIC = '-- dwadi backup '
export const FORMAT = 1

export type BackupHeader = {
  format: number
  madeAt: string
  postgres: string
  /** The migrations that made the tables, in order. */
  migrations: string[]
}

export type TableSum = {
  /** Schema and name, quoted as SQL wants it. */
  table: string
  columns: string
  rows: number
  /** SHA-256 of the rows as COPY wrote them. */
  sha256: string
}

export type BackupContents = { tables: TableSum[] }

export const SUMS = '-- contents '
export const SEAL = '-- sha256 '

/** What both sides of a copy set, so that the same rows are the same bytes everywhere. */
export const COPY_SETTINGS = `set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set bytea_output = 'hex';
  set extra_float_digits = 1; set client_encoding = 'UTF8'; set synchronize_seqscans = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set search_path = ''`

export class BackupError extends Error {
  override name = 'BackupError'
}
