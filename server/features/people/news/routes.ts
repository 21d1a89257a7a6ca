import { type News, newsEndpoints } from '../../../../shared/news.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'
import { changeNews } from './change-news.ts'
import { wantsSms } from './news.sql.ts'

/** `canSend`: the shop is connected to a service that sends messages. */
export function newsRoutes(app: Api, canSend: boolean) {
  mount(
    app,
    newsEndpoints,
    {
      'GET /user/news': ({ ctx }) => readNews(ctx, canSend),
      'PUT /user/news': async ({ ctx, body }) => {
        await changeNews(ctx, body)
        return readNews(ctx, canSend)
      },
    },
    { 'PUT /user/news': { share: 'changes' } },
  )
}

async function readNews(ctx: Ctx, canSend: boolean): Promise<News> {
  const { id, phone } = requireActor(ctx)
  const [{ buyerSms }, sms] = await Promise.all([selectSettings(ctx.db), wantsSms(ctx.db, id)])
  return { offered: canSend && buyerSms, sms, phone }
}
