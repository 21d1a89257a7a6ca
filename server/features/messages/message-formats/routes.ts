import { messageFormatEndpoints } from '../../../../shared/message-format-endpoints.ts'
import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeFormat } from './change-format.ts'
import { selectFormats, selectUnread, selectVersions } from './formats.sql.ts'
import { presentFormat, presentFormats, presentUnread } from './present.ts'
import { readAttempt } from './read-attempt.ts'

const ATTEMPT_READER = new URL('./read-attempt.ts', import.meta.url)

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
      return callAside(askerOf(ctx), ATTEMPT_READER, readAttempt, { text, sender: sender || null, draft, rows, ofServer })
    },
    'PUT /message-format': async ({ ctx, body }) => ({ format: presentFormat(await changeFormat(ctx, body, ofServer)) }),
  })
}
