import { contactEndpoints } from '../../../../shared/contacts.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectReceivers } from './contacts.sql.ts'
import { deleteContact } from './delete-contact.ts'
import { presentContact, presentReceiver } from './present.ts'
import { recordContact } from './record-contact.ts'

/** How far back recent receivers are looked for, and how many are listed without a name. */
const RECENT = { orders: 300, most: 50 }

export function contactRoutes(app: Api) {
  mount(
    app,
    contactEndpoints,
    {
      'GET /contact': async ({ ctx }) => (await selectReceivers(ctx.db, requireActor(ctx).id, RECENT)).map(presentReceiver),
      'PUT /contact': async ({ ctx, body }) => ({ contact: presentContact(await recordContact(ctx, body)) }),
      'DELETE /contact/:id': async ({ ctx, params }) => {
        await deleteContact(ctx, params.id)
        return { message: 'Deleted.' }
      },
    },
    { 'DELETE /contact/:id': { share: 'changes' }, 'PUT /contact': { share: ['changes', 'contacts'] } },
  )
}
