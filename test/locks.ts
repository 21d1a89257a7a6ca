import type pg from 'pg'

/** Whether another connection waits for a lock that this one holds. Used to force races. */
export async function isWaitedFor(holder: pg.ClientBase): Promise<boolean> {
  const { rows } = await holder.query<{ waiting: boolean }>(
    'select exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))) as waiting',
  )
  return rows[0]?.waiting ?? false
}
