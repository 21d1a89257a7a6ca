import { type Guard, guard } from './guard.ts'

const ON_ONE_MACHINE: Partial<Guard> = {
  fromDatabase: async (db) => void (await db.query('alter database dwadi set synchronous_commit = local')),
}

/** M. Two machines; N. the archive. */
export const twoMachinesGuards: Guard[] = [
  guard('M1', 2, 'that a sale is confirmed by both machines (`synchronous_commit`)', ON_ONE_MACHINE),
  guard('M2', 1, 'that a sale is confirmed by both machines (`synchronous_commit`)', ON_ONE_MACHINE),
  guard('M3', 1, 'that the primary sells on alone (Patroni’s `synchronous_mode` takes a lost standby out of `synchronous_standby_names`)', {
    fromDatabase: async (db) => {
      await db.query("alter system set synchronous_standby_names = '*'")
      await db.query('select pg_reload_conf()')
    },
  }),
  guard('N1', 1, 'the archiving of the log', {
    fromDatabase: async (db) => {
      await db.query("alter system set archive_command = 'true'")
      await db.query('select pg_reload_conf()')
    },
  }),
]
