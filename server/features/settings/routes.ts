import { changeSettingsRequest, type Settings, type SettingsReply, settingsReply } from '../../../shared/settings.ts'
import type { Suppliers } from '../../integrations/supplier/suppliers.ts'
import type { Queryable } from '../../platform/db.ts'
import type { Api } from '../../platform/http/api.ts'
import { changeSettings } from './change-settings.ts'
import { presentSettings } from './present.ts'
import { selectLastChange, selectSettings } from './settings.sql.ts'

const tags = ['admin']

export function settingsRoutes(app: Api, suppliers: Suppliers) {
  const reply = async (db: Queryable, settings: Settings): Promise<SettingsReply> => {
    const lastChange = await selectLastChange(db)
    return {
      settings,
      suppliers: [...suppliers.values()].map(({ name, networks }) => ({ name, networks: [...networks] })),
      lastChange: lastChange && { by: lastChange.by, at: lastChange.at.toISOString() },
    }
  }

  app.get(
    '/admin/settings',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'How the shop works with suppliers and messages', response: { 200: settingsReply } },
    },
    async ({ ctx }) => reply(ctx.db, presentSettings(await selectSettings(ctx.db))),
  )

  app.put(
    '/admin/settings',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change those settings; what is not sent stays as it is',
        body: changeSettingsRequest,
        response: { 200: settingsReply },
      },
    },
    async ({ ctx, body }) => reply(ctx.db, await changeSettings(ctx, suppliers, body)),
  )
}
