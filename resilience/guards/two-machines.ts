import { type Guard, guard } from './guard.ts'

const ON_ONE_MACHINE: Partial<Guard> = {
  fromDatabase: async (db) => void (await db.query('alter database dwadi set synchronous_commit = local')),
}

/** M. Two machines. */
export const twoMachinesGuards: Guard[] = [
  guard('M1', 2, 'that a sale is confirmed by both machines (`synchronous_commit`)', ON_ONE_MACHINE),
  guard('M2', 1, 'that a sale is confirmed by both machines (`synchronous_commit`)', ON_ONE_MACHINE),
]
