import { type Settings, type SettingsReply, settingsEndpoints } from '../../../../shared/settings.ts'
import type { Suppliers } from '../../../integrations/supplier/suppliers.ts'
import type { Queryable } from '../../../platform/db.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeSettings } from './change-settings.ts'
import { presentSettings } from './present.ts'
import { selectLastChange, selectSettings } from './settings.sql.ts'

export function settingsRoutes(app: Api, suppliers: Suppliers) {
  const reply = async (db: Queryable, settings: Settings): Promise<SettingsReply> => {
    const lastChange = await selectLastChange(db)
    return {
      settings,
      suppliers: [...suppliers.values()].map(({ name, networks }) => ({ name, networks: [...networks] })),
      lastChange: lastChange && { by: lastChange.by, at: lastChange.at.toISOString() },
    }
  }

  mount(app, settingsEndpoints, {
    'GET /admin/settings': async ({ ctx }) => reply(ctx.db, presentSettings(await selectSettings(ctx.db))),
    'PUT /admin/settings': async ({ ctx, body }) => reply(ctx.db, await changeSettings(ctx, suppliers, body)),
  })
}
