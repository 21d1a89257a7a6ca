import { changeSettingsRequest, type Settings, settingsReply } from '../../../shared/settings.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Suppliers } from '../supplier/supplier-desk.ts'
import { changeSettings } from './change-settings.ts'
import { presentSettings } from './present.ts'
import { selectSettings } from './settings.sql.ts'

const tags = ['admin']

export function settingsRoutes(app: Api, suppliers: Suppliers) {
  const reply = (settings: Settings) => ({
    settings,
    suppliers: [...suppliers.values()].map(({ name, networks }) => ({ name, networks: [...networks] })),
  })

  app.get(
    '/admin/settings',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'How the shop works with suppliers and messages', response: { 200: settingsReply } },
    },
    async (request) => reply(presentSettings(await selectSettings(request.ctx.db))),
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
    async (request) => reply(await changeSettings(request.ctx, suppliers, request.body)),
  )
}
