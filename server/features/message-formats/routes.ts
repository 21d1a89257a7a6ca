import { messageFormatEndpoints } from '../../../shared/message-format-endpoints.ts'
import type { MessageFormat } from '../../../shared/message-formats.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { changeFormat } from './change-format.ts'
import { checkFormat } from './check-format.ts'
import { chooseFormats } from './choose-formats.ts'
import { selectFormats, selectUnread, selectVersions } from './formats.sql.ts'
import { presentFormat, presentFormats, presentUnderstood, presentUnread } from './present.ts'

const UNREAD_SHOWN = 50
const VERSIONS_SHOWN = 50
const UNREAD_FOR_MS = 30 * 24 * 3_600_000

/** `ofServer` are forms that are set where the shop runs. */
export function messageFormatRoutes(app: Api, ofServer: readonly MessageFormat[]) {
  mount(app, messageFormatEndpoints, {
    'GET /message-format': async ({ ctx: { db, now } }) => {
      const [rows, unread] = await Promise.all([selectFormats(db), selectUnread(db, new Date(now.getTime() - UNREAD_FOR_MS), UNREAD_SHOWN)])
      return { formats: presentFormats(rows, ofServer), unread: unread.map(presentUnread) }
    },
    'GET /message-format/versions': async ({ ctx, query: { network, name } }) =>
      (await selectVersions(ctx.db, network, name, VERSIONS_SHOWN)).map(presentFormat),
    'POST /message-format/try': async ({ ctx, body: { text, sender, draft } }) => {
      const rows = await selectFormats(ctx.db)
      const { network, name } = draft ?? {}
      const others = rows.filter((row) => row.network !== network || row.name !== name)
      const written = draft && { ...draft, isOn: draft.on, version: 0, changedAt: ctx.now, changedBy: '' }
      const formats = chooseFormats(written ? [...others, written] : rows, ofServer)
      return {
        reading: text === undefined ? null : presentUnderstood(text, sender || null, formats),
        samples: (draft?.samples ?? []).map((one) => presentUnderstood(one, null, formats)),
        problems: draft ? checkFormat(draft, rows, ofServer) : [],
      }
    },
    'PUT /message-format': async ({ ctx, body }) => ({ format: presentFormat(await changeFormat(ctx, body, ofServer)) }),
  })
}
