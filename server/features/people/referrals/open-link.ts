import { randomInt } from 'node:crypto'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Forbidden } from '../../../platform/errors.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { insertCode, selectCode } from './referrals.sql.ts'

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 8

/**
 * The agent's own link, made at the first call.
 * @throws Unauthenticated
 * @throws Forbidden for whoever is no agent.
 */
export async function openLink(ctx: Ctx): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const { id, level } = await lockActor(tx, ctx)
    refuseOthers(level)
    while ((await selectCode(tx, id)) === null) await insertCode(tx, id, makeCode(), ctx.now)
  })
}

/** @throws Forbidden for whoever is no agent. */
export function refuseOthers(level: string): void {
  if (level === 'Customer') throw new Forbidden('Only agents invite customers. Become an agent first.')
}

function makeCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
