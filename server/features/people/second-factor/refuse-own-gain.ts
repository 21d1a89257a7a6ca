import type { WantedRole } from '../../../../shared/staff-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import { Forbidden } from '../../../platform/errors.ts'
import { type Gain, gainsFrom, hasSecondPerson, isOnlyOwner } from './staff-rules.sql.ts'

/**
 * Nobody decides what they gain from, except an only owner while nobody else does the work of `wanted`. Call it in the decision's transaction, after
 * `requireStaff`; where money moves, the database refuses it as well (`refuse_own_gain`). The shop itself (no actor) gains nothing.
 * @throws OwnGain
 */
export async function refuseOwnGain(tx: Tx, { actor }: Pick<Ctx, 'actor'>, wanted: WantedRole, gain: Gain): Promise<void> {
  if (!actor || !(await gainsFrom(tx, actor.id, gain))) return
  if ((await hasSecondPerson(tx, actor.id, wanted)) || !(await isOnlyOwner(tx, actor.id))) throw new OwnGain()
}

export class OwnGain extends Forbidden {
  constructor() {
    super('You gain from this yourself, so somebody else who works here must decide it. Nothing was changed.')
  }
}
