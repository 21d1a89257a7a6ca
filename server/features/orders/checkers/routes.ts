import { checkerEndpoints } from '../../../../shared/checkers.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { askerOf } from '../../../platform/aside.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { Vault } from '../../../platform/vault.ts'
import { guestBrowserOf } from '../orders/refuse-other-browser.ts'
import { changeKind } from './change-kind.ts'
import { changePackage } from './change-package.ts'
import { checkLines } from './check-lines.ts'
import { readCodesOfImport, readGuestCheckers, readOwnCheckers, readSoldCheckers, readStock } from './queries.ts'
import { recordImport } from './record-import.ts'
import { replaceChecker } from './replace-checker.ts'
import { revealCheckers } from './reveal-checkers.ts'
import { sendCheckers, sendGuestCheckers, sendOwnCheckers } from './send-checkers.ts'
import { takeBackImport } from './take-back-import.ts'
import { voidCode } from './void-code.ts'

/** Ten thousand lines of a serial and a PIN. */
const BODY_BYTES = 1_536 * 1024

export type CheckerDeps = { vault: Vault | null; sms: SmsGateway; mails: { dailyCap: number } | null; limiter: RateLimiter }

export function checkerRoutes(app: Api, { vault, sms, mails, limiter }: CheckerDeps) {
  mount(
    app,
    checkerEndpoints,
    {
      'GET /order/:id/checkers': async ({ ctx, params }) => ({ checkers: await readOwnCheckers(ctx, vault, params.id) }),
      'POST /order/:id/checkers/send': async ({ ctx, params, body }) => ({
        message: await sendOwnCheckers(ctx, { sms, mails, limiter }, { named: params.id, by: body.by }),
      }),
      'POST /track/:reference/checkers': async ({ ctx, params, body, request }) => ({
        checkers: await readGuestCheckers(ctx, { vault, limiter }, { ...params, ...body, browser: guestBrowserOf(request) }),
      }),
      'POST /track/:reference/checkers/send': async ({ ctx, params, body }) => ({
        message: await sendGuestCheckers(ctx, { sms, limiter }, { ...params, ...body }),
      }),
      'GET /admin/checkers': async ({ ctx }) => readStock(ctx, vault),
      'POST /admin/checkers/check': async ({ ctx, body }) => {
        const checked = await checkLines(ctx.db, vault, askerOf(ctx), body)
        return { lines: checked.map(({ state, problem }) => ({ state, problem })) }
      },
      'POST /admin/checkers/imports': async ({ ctx, body }) => recordImport(ctx, vault, body),
      'POST /admin/checkers/imports/:id/take-back': async ({ ctx, params }) => {
        await takeBackImport(ctx, params.id)
        return { message: 'Taken out of the stock.' }
      },
      'GET /admin/checkers/imports/:id/codes': ({ ctx, params, query }) => readCodesOfImport(ctx, params.id, query),
      'POST /admin/checker-codes/:code/void': async ({ ctx, params, body }) => {
        await voidCode(ctx, { codeId: Number(params.code), reason: body.reason })
        return { message: 'Taken out of the stock, and booked as a loss.' }
      },
      'PUT /admin/checkers/kinds/:kind': async ({ ctx, params, body }) => {
        await changeKind(ctx, params.kind, body)
        return { message: 'Saved.' }
      },
      'PUT /admin/checkers/packages': async ({ ctx, body }) => {
        await changePackage(ctx, vault, body)
        return { message: 'Saved.' }
      },
      'GET /admin/order/:id/checkers': async ({ ctx, params }) => ({ checkers: await readSoldCheckers(ctx, params.id) }),
      'POST /admin/order/:id/checkers/reveal': async ({ ctx, params, body }) => ({
        checkers: await revealCheckers(ctx, vault, { named: params.id, reason: body.reason }),
      }),
      'POST /admin/order/:id/checkers/send': async ({ ctx, params }) => ({ message: await sendCheckers(ctx, sms, params.id) }),
      'POST /admin/checker-codes/:code/replace': async ({ ctx, params, body }) => ({
        checkers: await replaceChecker(ctx, sms, { codeId: Number(params.code), reason: body.reason }),
      }),
    },
    {
      'POST /admin/checkers/check': { bodyLimit: BODY_BYTES, share: 'checker lists' },
      'POST /admin/checkers/imports': { bodyLimit: BODY_BYTES, share: 'checker lists' },
      'POST /track/:reference/checkers': { share: 'guest-checkers' },
      'POST /track/:reference/checkers/send': { share: 'guest-checkers' },
      'POST /order/:id/checkers/send': { share: 'send-checkers' },
    },
  )
}
